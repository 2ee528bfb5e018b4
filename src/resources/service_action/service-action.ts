/**
 * @module `conn3x_service_action`: what a handler runs (C6–C10).
 */
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { lines, script } from "../../script/script.ts";
import { isPlainObject, type Plain, type PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { ActionKind } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { serviceActionSchema } from "./schema.ts";

export const serviceActionKind: ActionKind = {
  role: "action",
  name: "service",
  type: "conn3x_service_action",
  schema: serviceActionSchema,
  id: (object) => String(object.name),
  plan: runAgainOnTriggers,
  run: runAction,
};

/** Only triggers run the action again, and running is being created (C9). */
function runAgainOnTriggers(diff: ResourceDiff): void {
  if (diff.creating || !diff.hasChange("triggers")) return;
  if (!sameTriggers(diff.prior("triggers"), diff.get("triggers"))) diff.forceReplace("triggers");
}

/**
 * Whether two lists of triggers mean the same runs. Keys of a map are `HOST/KEY`: the host's part is left out, so that
 * renaming a host runs nothing.
 */
export function sameTriggers(before: Plain, after: Plain): boolean {
  if (before instanceof Unknown || after instanceof Unknown) return false;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((entry, i) => sameTriggers(entry, after[i]!));
  }
  if (isPlainObject(before) && isPlainObject(after)) {
    const old = withoutHosts(before);
    const now = withoutHosts(after);
    return (
      old.size === now.size &&
      [...old].every(([key, value]) => now.has(key) && sameTriggers(value, now.get(key)!))
    );
  }
  return before === after;
}

const withoutHosts = (map: PlainObject): ReadonlyMap<string, Plain> =>
  new Map(Object.entries(map).map(([key, value]) => [key.slice(key.indexOf("/") + 1), value]));

/** A unit file that changed is read first: `systemctl restart` would start the old one and only warn. */
function runAction(want: PlainObject): readonly Operation[] {
  const unit = String(want.name);
  const readUnitFile = script`case $(systemctl show -p NeedDaemonReload -- ${unit}) in *=yes) systemctl daemon-reload ;; esac`;
  const act =
    want.action === "restart"
      ? script`systemctl restart -- ${unit}`
      : script`! systemctl is-active -- ${unit} >/dev/null || systemctl reload -- ${unit}`;
  return [
    {
      do: "script",
      script: lines([readUnitFile, act]),
      purpose: `${String(want.action)} the service ${unit}`,
      own: true,
      advice: `On the host, look at \`systemctl status ${unit}\` and \`journalctl -u ${unit}\`.`,
    },
  ];
}
