/**
 * @module Warnings of objects that end at one address and stay on their host for another: those of a renamed host in one.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { type InstanceAddress, parseAddress } from "../../../values/address.ts";
import { groupBy } from "../../../values/group-by.ts";
import { isIdentifier } from "../../../values/identifier.ts";

/** An object that ends, and who holds it afterwards: addresses of instances. */
export interface StayingObject {
  readonly address: string;
  readonly holder: string;
}

/** @returns a warning for each object, but one for all of a host that seems to have got another name in its circuit */
export function staysOnHost(staying: readonly StayingObject[]): readonly Diagnostic[] {
  const renamed = groupBy(staying, (object) => {
    const rename = renameOf(object);
    return rename === undefined ? "" : JSON.stringify(rename);
  });
  return [...renamed].flatMap(([rename, objects]) =>
    rename === "" || objects.length === 1
      ? objects.map(staysFor)
      : [staysForRenamed(JSON.parse(rename) as Rename, objects)],
  );
}

/** A circuit with its module, and two names of one host. */
interface Rename {
  readonly circuit: string;
  readonly from: string;
  readonly to: string;
}

function staysFor({ address, holder }: StayingObject): Diagnostic {
  const detail =
    address === holder
      ? `The old object of ${address} and the new one of ${holder} are the same on the host: it is written, and not deleted afterwards.`
      : `${address} ends, and ${holder} is the same object on the same host: it is left to the latter and only forgotten at the former.${adviceFor({ address, holder })}`;
  return warningDiagnostic("Object on the host is not deleted", detail, { address });
}

function staysForRenamed({ circuit, from, to }: Rename, objects: readonly StayingObject[]): Diagnostic {
  return warningDiagnostic(
    "Objects on the host are not deleted",
    `In circuit ${circuit}, ${objects.length} objects of host ${from} end, and are the same as those of host ${to}: they are left to the latter, and only forgotten at the former.${advice("host", from, to)}`,
    { address: objects[0]!.address },
  );
}

/** What keeps the state of what only has another name. */
function adviceFor(object: StayingObject): string {
  const host = renameOf(object);
  if (host !== undefined) return advice("host", host.from, host.to);
  const [old, now] = [parseAddress(object.address), parseAddress(object.holder)];
  const [from, to] = [memberOf(old), memberOf(now)];
  const isSame =
    JSON.stringify([old?.modules, old?.type, old?.key]) ===
    JSON.stringify([now?.modules, now?.type, now?.key]);
  return isSame && from !== undefined && to !== undefined && from.circuit === to.circuit
    ? advice("step", from.member, to.member)
    : "";
}

const advice = (what: "host" | "step", from: string, to: string): string =>
  ` If ${what} ${from} is called ${to} now, a moved block in the circuit keeps its state, with from = ${named(what, from)} and to = ${named(what, to)}.`;

const named = (what: string, name: string): string =>
  isIdentifier(name) ? `${what}.${name}` : `${what}[${JSON.stringify(name)}]`;

/** Set where both are the same instance of one step, but for the name of the host in the key. */
function renameOf({ address, holder }: StayingObject): Rename | undefined {
  const [old, now] = [parseAddress(address), parseAddress(holder)];
  if (typeof old?.key !== "string" || typeof now?.key !== "string") return undefined;
  const [[from = "", ...oldKey], [to = "", ...nowKey]] = [old.key.split("/"), now.key.split("/")];
  const isSame =
    JSON.stringify([old.modules, old.type, old.name, oldKey]) ===
    JSON.stringify([now.modules, now.type, now.name, nowKey]);
  const circuit = memberOf(old)?.circuit;
  if (!isSame || from === to || circuit === undefined) return undefined;
  return { circuit: `${address.slice(0, address.indexOf(`${old.type}.${old.name}[`))}${circuit}`, from, to };
}

/** A resource's circuit and step; undefined for one outside of circuits. */
function memberOf(
  address: InstanceAddress | undefined,
): { readonly circuit: string; readonly member: string } | undefined {
  const [circuit, member] = address?.name.split("__") ?? [];
  return circuit === undefined || member === undefined ? undefined : { circuit, member };
}
