/**
 * @module Values of variables: the root module's are given, those of other modules come from their callers.
 */
import type { Variable } from "../../../compiler/index.ts";
import type { Resolution } from "../../../eval/scope.ts";
import type { Path } from "../../../values/path.ts";
import { unknownValue, type Value } from "../../../values/value.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import { evaluated, type Finding } from "../names/named-values.ts";
import { valueName } from "../names/reference-index.ts";
import { missing } from "../names/unresolved.ts";
import { Problems } from "../problems.ts";
import type { Access } from "../resources/resource-values.ts";
import { partAt } from "./input-value.ts";
import { checkVariable, inputFor } from "./variables.ts";

export function resolveVariable(
  finding: Finding,
  name: string,
  module: ModuleInstance,
  accesses: Access[] | undefined,
): Resolution {
  const { variables } = module.configuration;
  const variable = variables.get(name);
  if (variable === undefined) return missing("variable", name, variables.keys());
  if (module.caller === undefined) return { value: finding.surroundings.variables.get(name)!, consumed: 1 };
  const location = valueName(module, "var", name);
  const value = finding.named(location, accesses, (own, memory) =>
    moduleVariable(finding, variable, module, own, (value) =>
      // A copy: what its own conditions look at is added to the list of what it looks at.
      memory.set(location, { value, accesses: [...own] }),
    ),
  );
  return { value, consumed: 1 };
}

/** @param keep is given the value before it is checked: conditions refer to it */
function moduleVariable(
  finding: Finding,
  variable: Variable,
  module: ModuleInstance,
  accesses: Access[],
  keep: (value: Value) => void,
): Value {
  const { constraints, functions } = finding.surroundings;
  const { module: from, call, self } = module.caller!;
  const expression = call.inputs.get(variable.name);
  const given = expression && evaluated(finding, expression, from, self, accesses);
  const problems = new Problems();
  const constraint = constraints.get(variable)!;
  const rangeOf = (path: Path) => partAt(expression!, path);
  const input = given && { value: given, source: `module "${call.name}"`, rangeOf };
  const value = inputFor(variable, input, { constraint, functions }, problems);
  keep(value);
  checkVariable(variable, finding.scope({}, accesses, module), problems);
  for (const problem of problems.all)
    finding.report({ ...problem, detail: `${problem.detail}\nIn ${module.address}.` });
  return problems.failed ? unknownValue(constraint.type) : value;
}
