/**
 * @module Hand-made plans for tests.
 */
import type { Plan, PlannedChange } from "../../../engine/plan.ts";
import type { Decision } from "../../../revision/decision.ts";
import { dynamicType } from "../../../values/type.ts";
import { nullValue, objectValue, stringValue, type Value } from "../../../values/value.ts";

type Attributes = Readonly<Record<string, Value | string>>;

export const nothing = nullValue(dynamicType);

export const object = (attributes: Attributes): Value =>
  objectValue(
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === "string" ? stringValue(value) : value,
      ]),
    ),
  );

export interface Given {
  readonly host?: string;
  readonly member?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly before?: Attributes;
  readonly after?: Attributes;
  readonly unread?: boolean;
  readonly movedFrom?: string;
  readonly decision: Partial<Decision> & Pick<Decision, "action">;
}

/** A change of circuit `web`: step `config`, kind `file`, host `web1` by default. */
export function change({
  host = "web1",
  member = "config",
  kind = "file",
  key,
  ...given
}: Given): PlannedChange {
  const handler = kind.endsWith("_action");
  const instance = key === undefined ? host : `${host}/${key}`;
  return {
    address: `conn3x_${kind}.web__${member}[${JSON.stringify(instance)}]`,
    type: `conn3x_${kind}`,
    name: `web__${member}`,
    key: instance,
    circuit: "web",
    member,
    role: handler ? "handler" : "step",
    host,
    ...(key === undefined ? {} : { ownKey: key }),
    ...(given.unread ? { unread: true } : {}),
    ...(given.movedFrom === undefined ? {} : { movedFrom: given.movedFrom }),
    decision: { reasons: [], edits: [], drift: [], requiresReplace: [], ...given.decision },
    before: given.before === undefined ? nothing : object(given.before),
    after: given.after === undefined ? nothing : object(given.after),
  };
}

export const plan = (changes: readonly PlannedChange[], more: Partial<Plan> = {}): Plan => ({
  mode: "normal",
  changes,
  outputs: [],
  diagnostics: [],
  stateChanged: false,
  ...more,
});
