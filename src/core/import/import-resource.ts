/**
 * @module Imports an existing object, named by its location: `ssh://USER@ADDRESS:PORT/IDENTITY`, or by its
 * circuit and host: `CIRCUIT/HOST:IDENTITY`.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { circuitLogin, sshBlock } from "../../login/index.ts";
import { type BlockSchema, schemaType, showValues } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { objectValue, type Value } from "../../values/value.ts";
import { getPath, isEntries } from "../../values/walk.ts";
import { type Context, diagnosticOf, Failure, sessionFor } from "../context.ts";
import type { ImportedInstance } from "../provider.ts";
import { isOurs } from "../read/ours.ts";
import { encodePrivate, noPrivateData } from "../stored/private-data.ts";
import { hashesOfFound } from "../stored/write-only.ts";
import { addressedTarget, namedTarget } from "./import-id.ts";

export interface ImportResponse {
  readonly imported: readonly ImportedInstance[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param id `ssh://`, a login whose other settings are the provider's, and the object's path or name after a slash; or a
 *   circuit's host, a colon, and the same
 * @param login where it is known: the `ssh` object of the host that the id names; else of the instance that it becomes,
 *   whose settings count beside the id's
 */
export async function importResource(
  context: Context,
  type: string,
  id: string,
  login?: Value,
): Promise<ImportResponse> {
  try {
    return { imported: [await importOne(context, type, id, login)], diagnostics: [] };
  } catch (error) {
    return { imported: [], diagnostics: [diagnosticOf(error)] };
  }
}

async function importOne(
  context: Context,
  type: string,
  id: string,
  login: Value | undefined,
): Promise<ImportedInstance> {
  const kind = context.kinds.get(type)!;
  if (kind.role === "action" || kind.imported === undefined) {
    throw refusal(
      `${type} cannot be imported`,
      "It stands for nothing that could be told by a name. Creating it leaves what is as wanted already as it is.",
    );
  }
  const { identity, ssh } = targetOf(context, id, login);
  const settings = kind.imported(identity);
  const { schema } = kind;
  checkSettings(schema, settings, id);
  const unset = Object.fromEntries(Object.keys(schema.attributes).map((name) => [name, null]));
  const object: PlainObject = { ...unset, ...settings };
  const session = sessionFor(context, ssh);
  const found = await context.facts.read(session, kind, object, "refresh");
  if (found.state === "unreadable")
    throw refusal("Cannot be read on the host", `${kind.id.of(object)} ${found.why}.`);
  const isThere =
    found.state === "present" && isOurs(kind, found.facts, object) && (kind.isThere?.(found.facts) ?? true);
  if (!isThere) throw refusal("Nothing to import", `The host has no ${kind.name} ${kind.id.of(object)}.`);
  const observed = kind.observe(found.facts, object);
  const secrets = await hashesOfFound(context.hashes, kind, observed, found.facts);
  const state = { ...observed, id: kind.id.of(observed), revision: context.mint() };
  return {
    type,
    state: withSsh(fromPlain(state, schemaType(schema)), ssh),
    private: encodePrivate(schema, { ...noPrivateData, existedBefore: true, imported: true, secrets }),
  };
}

/** @throws Failure when the id has no login, or one that is not allowed */
function targetOf(
  context: Context,
  id: string,
  login: Value | undefined,
): { readonly identity: string; readonly ssh: Value } {
  const named = namedTarget(id);
  if (named !== undefined)
    return { identity: named.identity, ssh: login ?? loginNamed(context, named.circuit, named.host) };
  const target = addressedTarget(id);
  if (target === undefined) {
    throw refusal(
      "Import id cannot be read",
      `"${id}" is not of the form ssh://USER@ADDRESS:PORT/IDENTITY, such as ssh://deploy@10.0.1.5/etc/motd for a file, or ssh://deploy@10.0.1.5/nginx for a service, and not of the form CIRCUIT/HOST:IDENTITY either.`,
    );
  }
  if (String(target.ssh.user ?? "").includes(":")) {
    throw refusal(
      "Import id cannot be used",
      "It has a password, and ids are shown. Put passwords into the ssh block of the circuit or the provider.",
    );
  }
  checkSettings(sshBlock, target.ssh, id);
  return { identity: target.identity, ssh: loginAt(target.ssh, login) };
}

/** By the entry of the provider's `circuit_logins` of that name, where that says the address. */
function loginNamed({ configured }: Context, circuit: string, host: string): Value {
  const login = `${circuit}/${host}`;
  const ssh = fromPlain({ login, bastion: [] }, schemaType(sshBlock));
  const entry = circuitLogin(configured.now.circuitLogins, ssh);
  if (entry === undefined || "problem" in entry || getPath(entry, [{ key: "address" }]) === undefined) {
    throw refusal(
      "Import id cannot be used",
      `How ${login} is reached is not known here: no circuit ${circuit} has a host ${host} whose login is known before an apply, or OpenTofu or Terraform works without conn3x, and then nobody tells of circuits. Name the host by its address: ssh://USER@ADDRESS:PORT/IDENTITY.`,
    );
  }
  return ssh;
}

/** The configured login where it leads to the same address, as whom and where the id says. */
function loginAt(target: PlainObject, configured: Value | undefined): Value {
  const named = fromPlain(target, schemaType(sshBlock));
  if (configured === undefined || !isEntries(configured.data) || !isEntries(named.data)) return named;
  if (getPath(configured, at("address"))?.data !== target.address) return named;
  const reported = [...named.data].filter(([name]) => name in target && name !== "bastion");
  return objectValue(new Map([...configured.data, ...reported]));
}

const withSsh = (state: Value, ssh: Value): Value =>
  isEntries(state.data) ? objectValue(new Map([...state.data, ["ssh", ssh]])) : state;

const refusal = (summary: string, detail: string): Failure => new Failure(errorDiagnostic(summary, detail));

function checkSettings({ attributes }: BlockSchema, settings: PlainObject, id: string): void {
  for (const [name, value] of Object.entries(settings)) {
    const problem = attributes[name]?.check?.(value, showValues);
    if (problem !== undefined) throw refusal("Import id cannot be used", `${name} of "${id}" ${problem}.`);
  }
}
