/**
 * @module Reads a state file in OpenTofu's format version 4. What is not such a state is refused, never repaired.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import { type InstanceKey, inModule, instanceAddress, parseModule } from "../../values/address.ts";
import { JsonScanner } from "../../values/json/json-scanner.ts";
import { JsonSyntaxError } from "../../values/json/json-syntax-error.ts";
import {
  compactText,
  corrupt,
  expect,
  expectBytes,
  expectCount,
  expectKey,
  expectString,
  expectStrings,
  type KnownParts,
  noKnownParts,
  StateError,
  sharedText,
} from "./expectations.ts";
import {
  emptyStateFile,
  type ForeignResource,
  type StateFile,
  type StateInstance,
  type StateOutput,
  type StateResource,
  storedProvider,
} from "./state.ts";

export type ReadState =
  | { readonly state: StateFile; readonly problem?: undefined }
  | { readonly state?: undefined; readonly problem: Diagnostic };

/**
 * @param text content of the file; an empty one is no state yet, as for OpenTofu
 * @param path for messages
 */
export function readState(text: string, path: string): ReadState {
  if (text.trim() === "") return { state: emptyStateFile };
  try {
    return { state: readFile(new JsonScanner(text)) };
  } catch (error) {
    const refusal = asStateError(error);
    return {
      problem: errorDiagnostic(refusal.message, `${path}: ${refusal.detail} The file was left alone.`),
    };
  }
}

/** @throws the error itself when it is something else */
function asStateError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  if (error instanceof JsonSyntaxError) return corrupt(`It is not JSON (${error.message}).`);
  throw error;
}

const encrypted = (): StateError =>
  new StateError(
    "State file is encrypted",
    "OpenTofu encrypted this state, and only OpenTofu can read it: use -engine=tofu, where its configuration has the keys, and without -state. For a file elsewhere, tofu state pull in its own directory prints it decrypted.",
  );

function checkVersion(version: unknown): void {
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    throw corrupt("Its format version is not a positive whole number.");
  }
  if (version > 4) {
    throw new StateError(
      "State file is of a newer format",
      `Its format version is ${version}; this version of Conn3x knows version 4. Use a newer Conn3x.`,
    );
  }
  if (version < 4) {
    throw new StateError(
      "State file is of an older format",
      `Its format version is ${version}. Let a current OpenTofu or Terraform apply once, which writes version 4.`,
    );
  }
}

function readFile(scanner: JsonScanner): StateFile {
  if (scanner.kind() !== "object")
    throw new StateError("Not a state file", "Its content is not a JSON object.");
  let version: unknown;
  let toolVersion: string | undefined;
  let serial: number | undefined;
  let lineage: string | undefined;
  let outputs: ReadonlyMap<string, StateOutput> = new Map();
  const resources = new Map<string, StateResource>();
  const foreign: ForeignResource[] = [];
  let checkResults = "null";
  scanner.object((name) => {
    // First, or whatever else is found would be called damaged.
    if (name === "encrypted_data") throw encrypted();
    if (name === "version") {
      version = scanner.plain();
      checkVersion(version);
    } else if (name === "terraform_version") toolVersion = expectString(scanner, "terraform_version");
    else if (name === "serial") serial = expectCount(scanner, "serial");
    else if (name === "lineage") lineage = expectString(scanner, "lineage");
    else if (name === "outputs") outputs = readOutputs(scanner);
    else if (name === "resources") readResources(scanner, resources, foreign);
    else if (name === "check_results") checkResults = scanner.raw();
    else scanner.skip();
  });
  scanner.finish();
  if (version === undefined) throw new StateError("Not a state file", "It has no format version.");
  if (lineage === undefined || lineage === "") throw corrupt("It has no lineage.");
  if (serial === undefined) throw corrupt("It has no serial.");
  if (toolVersion === undefined || !/^\d+\.\d+\.\d+/.test(toolVersion)) {
    throw corrupt("Its terraform_version is no version.");
  }
  return { toolVersion, serial, lineage, outputs, resources, foreign, checkResults };
}

/** Reads the `outputs` member. */
export function readOutputs(scanner: JsonScanner): ReadonlyMap<string, StateOutput> {
  const outputs = new Map<string, StateOutput>();
  if (scanner.kind() === "null") {
    scanner.skip();
    return outputs;
  }
  expect(scanner, "object", "outputs");
  scanner.object((name) => {
    let value = "null";
    let type = '"dynamic"';
    let sensitive = false;
    expect(scanner, "object", `output "${name}"`);
    scanner.object((member) => {
      if (member === "value") value = scanner.raw();
      else if (member === "type") type = scanner.raw();
      else if (member === "sensitive") sensitive = scanner.plain() === true;
      else scanner.skip();
    });
    outputs.set(name, { value, type, sensitive });
  });
  return outputs;
}

function readResources(
  scanner: JsonScanner,
  resources: Map<string, StateResource>,
  foreign: ForeignResource[],
): void {
  if (scanner.kind() === "null") {
    scanner.skip();
    return;
  }
  expect(scanner, "array", "resources");
  scanner.array(() => {
    const start = scanner.position;
    const { head, instances } = readResource(scanner);
    const address = addressOf(head);
    if (instances === undefined) {
      foreign.push({ ...head, address, json: scanner.since(start) });
      return;
    }
    if (resources.has(address)) throw corrupt(`It holds ${address} twice.`);
    // A resource without instances is what remains of a removed one.
    if (instances.current.size + instances.deposed.size === 0) return;
    const { module, type, name } = head;
    const { current, deposed } = instances;
    const old = deposed.size === 0 ? {} : { deposed };
    resources.set(address, { module, type, name, instances: current, ...old });
  });
}

interface Head {
  readonly module: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly provider: string;
}

interface Instances {
  readonly current: ReadonlyMap<InstanceKey, StateInstance>;
  readonly deposed: ReadonlyMap<string, StateInstance>;
}

/** Reads a resource; its instances only when it is one of ours. */
function readResource(scanner: JsonScanner): {
  readonly head: Head;
  readonly instances: Instances | undefined;
} {
  const head = { module: "", mode: "", type: "", name: "", provider: "" };
  let instances: Instances | undefined;
  // Where they come before what says whose they are.
  let early: string | undefined;
  expect(scanner, "object", "a resource");
  scanner.object((name) => {
    if (name === "module" || name === "mode" || name === "type" || name === "name" || name === "provider") {
      head[name] = expectString(scanner, name);
    } else if (name === "instances" && isOurs(head)) {
      instances = readInstances(scanner, addressOf(head));
    } else if (name === "instances") {
      early = scanner.raw();
    } else {
      scanner.skip();
    }
  });
  if (head.mode === "" || head.type === "" || head.name === "" || head.provider === "") {
    throw corrupt("A resource in it lacks its mode, type, name or provider.");
  }
  if (head.module !== "" && parseModule(head.module) === undefined)
    throw corrupt(`${head.type}.${head.name} in it has a module that is no address: ${quoted(head.module)}.`);
  if (!isOurs(head)) return { head, instances: undefined };
  return { head, instances: instances ?? readInstances(new JsonScanner(early ?? "[]"), addressOf(head)) };
}

const isOurs = ({ provider, mode, type, name }: Head): boolean =>
  provider === storedProvider && mode === "managed" && type !== "" && name !== "";

const addressOf = ({ module, mode, type, name }: Head): string =>
  inModule(module, mode === "data" ? `data.${type}.${name}` : `${type}.${name}`);

function readInstances(scanner: JsonScanner, address: string): Instances {
  const current = new Map<InstanceKey, StateInstance>();
  const deposed = new Map<string, StateInstance>();
  const known = noKnownParts();
  expect(scanner, "array", `the instances of ${address}`);
  scanner.array(() => {
    const instance = readInstance(scanner, address, known);
    const isTwice =
      instance.deposed === undefined ? current.has(instance.key) : deposed.has(instance.deposed);
    if (isTwice) throw corrupt(`It holds ${instanceAddress(address, instance.key)} twice.`);
    if (instance.deposed === undefined) current.set(instance.key, instance);
    else deposed.set(instance.deposed, instance);
  });
  return { current, deposed };
}

/** Reads one instance object. `address` is for messages. */
export function readInstance(
  scanner: JsonScanner,
  address: string,
  known: KnownParts = noKnownParts(),
): StateInstance {
  let key: InstanceKey;
  let status: unknown;
  let schemaVersion = 0;
  let attributes: string | undefined;
  let sensitivePaths = "[]";
  let secret: Uint8Array = new Uint8Array();
  let dependencies: readonly string[] = [];
  let createBeforeDestroy = false;
  let deposed = "";
  expect(scanner, "object", `an instance of ${address}`);
  scanner.object((name) => {
    if (name === "index_key") key = expectKey(scanner, address);
    else if (name === "status") status = scanner.plain();
    else if (name === "schema_version") schemaVersion = expectCount(scanner, "schema_version");
    else if (name === "attributes") {
      expect(scanner, "object", `the attributes of ${address}`);
      attributes = compactText(scanner.raw());
    } else if (name === "sensitive_attributes") sensitivePaths = sharedText(scanner, known);
    else if (name === "private") secret = expectBytes(scanner, known);
    else if (name === "dependencies") dependencies = expectStrings(scanner, address, known);
    else if (name === "create_before_destroy") createBeforeDestroy = scanner.plain() === true;
    else if (name === "deposed") deposed = expectString(scanner, "deposed");
    else scanner.skip();
  });
  if (attributes === undefined) throw corrupt(`An instance of ${address} in it has no attributes.`);
  if (status !== undefined && status !== "tainted")
    throw corrupt(`An instance of ${address} has an unknown status.`);
  return {
    key,
    tainted: status === "tainted",
    schemaVersion,
    attributes,
    sensitivePaths: sensitivePaths === "null" ? "[]" : sensitivePaths,
    private: secret,
    dependencies,
    createBeforeDestroy,
    ...(deposed === "" ? {} : { deposed }),
  };
}
