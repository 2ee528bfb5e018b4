/**
 * @module What core enforces after each call of a provider, by the codes of docs/dev/rules.md: E for plans,
 * A for the second plan that core makes at apply, R for results.
 */
import { expect } from "vitest";
import type { PlanResponse } from "../../core/provider.ts";
import type { Action } from "../../revision/decision.ts";
import { type BlockSchema, type ResourceSchema, schemaType } from "../../schema/schema.ts";
import { writeOnlySettings } from "../../schema/write-only.ts";
import { valuesEqual } from "../../values/equal.ts";
import { encodeMsgpack } from "../../values/msgpack/msgpack.ts";
import { formatPath, type Path } from "../../values/path.ts";
import { typeEquals } from "../../values/type.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { getPath, isElements, isEntries, isWhollyKnown } from "../../values/walk.ts";

export type Planned = Pick<PlanResponse, "planned" | "requiresReplace" | "decision">;

const fields = (value: Value) => value.data as ReadonlyMap<string, Value>;

export function checkPlan(schema: ResourceSchema, config: Value, prior: Value, response: Planned): void {
  const { planned, requiresReplace, decision } = response;
  expect(isNull(planned), "E6, E9: null exactly when the configuration is").toBe(isNull(config));
  for (const path of requiresReplace) {
    const [before, after] = [getPath(prior, path), getPath(planned, path)];
    const differs = before !== undefined && after !== undefined && !valuesEqual(before, after);
    expect(differs, `E10: ${formatPath(path)} is there and differs`).toBe(true);
  }
  expect(decision.action, "E11: the action is the one that the values tell").toBe(
    actionOf(prior, planned, requiresReplace),
  );
  if (isNull(planned)) return;
  checkType(schema, planned, "E8: of the schema's type");
  checkBlock(schema, config, prior, planned);
}

/** What core does with a plan: it looks at the values alone (E11). */
export function actionOf(prior: Value, planned: Value, requiresReplace: readonly Path[]): Action {
  if (isNull(planned)) return isNull(prior) ? "none" : "delete";
  if (isNull(prior)) return "create";
  if (valuesEqual(prior, planned)) return "none";
  const forced = requiresReplace.some((path) => {
    const [before, after] = [getPath(prior, path), getPath(planned, path)];
    return before === undefined || after === undefined || !valuesEqual(before, after);
  });
  return forced ? "replace" : "update";
}

function checkBlock(schema: BlockSchema, config: Value, prior: Value, planned: Value): void {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const configured = fields(config).get(name)!;
    const before = isNull(prior) ? undefined : fields(prior).get(name);
    const after = fields(planned).get(name);
    expect(after, `E8: ${name} is there`).toBeDefined();
    if (attribute.type.kind !== "dynamic")
      expect(typeEquals(after!.type, attribute.type), `E8: ${name} is of its type`).toBe(true);
    if (attribute.writeOnly !== undefined) {
      expect(isNull(after!), `E5: ${name} is write-only and in no plan`).toBe(true);
    } else if (!isNull(configured)) {
      const asBefore = before !== undefined && !isNull(before) && valuesEqual(after!, before);
      const asIs = asBefore || valuesEqual(after!, configured);
      expect(asIs, `E1: ${name} is as configured or as before`).toBe(true);
    } else if (!attribute.computed) expect(isNull(after!), `E4: ${name} stays unset`).toBe(true);
  }
  for (const [name, inner] of Object.entries(schema.blocks)) {
    const [configured, block] = [fields(config).get(name)!, fields(planned).get(name)];
    expect(block, `E8: block ${name} is there`).toBeDefined();
    expect(isNull(block!), `E7: block ${name} as configured`).toBe(isNull(configured));
    if (isNull(configured)) continue;
    if (inner.repeated) {
      expect(valuesEqual(block!, configured), `E7: blocks ${name} as configured`).toBe(true);
      continue;
    }
    const before = isNull(prior) ? prior : fields(prior).get(name)!;
    checkBlock(inner, configured, before, block!);
  }
}

/** At apply core plans again, with every value known that was not. */
export function checkSecondPlan(first: Planned, second: Planned): void {
  const was = first.decision.action;
  const stays = was === "update" ? ["update", "none"] : [was];
  expect(stays, "A1: the same action, or an update that turned out to be none").toContain(
    second.decision.action,
  );
  expect(isNull(second.planned), "A1: an object or none").toBe(isNull(first.planned));
  checkKept(first.planned, second.planned, "A2: stays as planned", "A2: elements as planned");
}

export function checkResult(schema: ResourceSchema, planned: Value, state: Value): void {
  expect(isNull(state), "R3: null after a delete, an object otherwise").toBe(isNull(planned));
  checkStored(schema, state);
  checkKept(planned, state, "R1: as planned", "R4: elements as planned");
}

/** Whatever is to be stored, of a read as well. */
export function checkStored(schema: ResourceSchema, state: Value): void {
  if (isNull(state)) return;
  expect(isWhollyKnown(state), "R2: nothing unknown").toBe(true);
  checkType(schema, state, "R: of the schema's type");
  for (const { name } of writeOnlySettings(schema))
    expect(isNull(fields(state).get(name)!), `R5: ${name} is write-only and in no state`).toBe(true);
}

/** What was known is the same afterwards, at any depth; what was unknown may be anything (A3). */
function checkKept(before: Value, after: Value, equal: string, elements: string, path: Path = []): void {
  if (isUnknown(before) || isNull(before)) {
    if (!isUnknown(before) || path.length === 0)
      expect(isNull(after), `${equal}: ${formatPath(path)}`).toBe(isNull(before));
    return;
  }
  const here = path.length === 0 ? "the object" : formatPath(path);
  if (isElements(before.data)) {
    const now = isElements(after.data) ? after.data : [];
    expect(now.length, `${elements}: ${here}`).toBe(before.data.length);
    for (const [index, element] of before.data.entries())
      checkKept(element, now[index]!, equal, elements, [...path, { index }]);
  } else if (isEntries(before.data)) {
    const now: ReadonlyMap<string, Value> = isEntries(after.data) ? after.data : new Map();
    expect([...now.keys()].sort(), `${elements}: ${here}`).toEqual([...before.data.keys()].sort());
    for (const [name, entry] of before.data)
      checkKept(entry, now.get(name)!, equal, elements, [...path, { attribute: name }]);
  } else expect(valuesEqual(after, before), `${equal}: ${here}`).toBe(true);
}

const checkType = (schema: ResourceSchema, value: Value, rule: string): void =>
  expect(() => encodeMsgpack(value, schemaType(schema)), rule).not.toThrow();
