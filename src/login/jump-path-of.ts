/**
 * @module A jump path as text: private networks share addresses, so one address behind two bastions is
 * two hosts.
 */
import { at } from "../values/path.ts";
import { isPlainObject, toPlain } from "../values/plain.ts";
import type { Value } from "../values/value.ts";
import { getPath, isWhollyKnown } from "../values/walk.ts";

/** Equal logins are one value for all instances of a host. */
const jumpSettings = new WeakMap<Value, string>();

/** @returns equal texts for equal jump paths, whoever logs in on them; empty for none */
export function jumpPathOf(ssh: Value | undefined): string {
  if (ssh === undefined) return "";
  const known = jumpSettings.get(ssh);
  if (known !== undefined) return known;
  const jumpPath = jumpPathIn(ssh);
  jumpSettings.set(ssh, jumpPath);
  return jumpPath;
}

function jumpPathIn(ssh: Value): string {
  const known = (name: string) => {
    const value = getPath(ssh, at(name));
    return value !== undefined && isWhollyKnown(value) ? toPlain(value) : null;
  };
  const bastions = known("bastion");
  const hops = Array.isArray(bastions)
    ? bastions.map((hop) => (isPlainObject(hop) ? [hop.address ?? null, hop.port ?? 22] : null))
    : [];
  const jumpPath = [known("proxy_jump"), known("proxy_command"), hops.length === 0 ? null : hops];
  return jumpPath.every((part) => part === null) ? "" : JSON.stringify(jumpPath);
}
