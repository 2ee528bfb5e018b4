/**
 * @module Type constraints of variables.
 */
import { applyDefaults } from "../../../eval/defaults.ts";
import { typeConstraint } from "../../../eval/type-constraint.ts";
import type { Expression } from "../../../hcl/tree.ts";
import { dynamicType, type Type } from "../../../values/type.ts";
import type { Value } from "../../../values/value.ts";
import type { Problems } from "../problems.ts";

export interface Constraint {
  readonly type: Type;
  /** The value with the defaults of `optional()` attributes filled in. */
  readonly withDefaults: (value: Value) => Value;
}

/** No type given. */
export const anyType: Constraint = { type: dynamicType, withDefaults: (value) => value };

/** Reports what is no type. */
export function readConstraint(expression: Expression, problems: Problems): Constraint {
  const { type, defaults, diagnostics } = typeConstraint(expression);
  problems.reportAll(diagnostics);
  return { type, withDefaults: (value) => applyDefaults(value, defaults) };
}
