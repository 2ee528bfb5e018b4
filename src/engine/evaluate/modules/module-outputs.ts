/**
 * @module What modules give to those that call them: the values of their outputs.
 */
import type { Output } from "../../../compiler/index.ts";
import type { Resolution } from "../../../eval/scope.ts";
import { inModule } from "../../../values/address.ts";
import { containsMark, withMark } from "../../../values/marks.ts";
import type { PathStep } from "../../../values/path.ts";
import { dynamicType } from "../../../values/type.ts";
import { objectValue, tupleValue, unknownValue, type Value } from "../../../values/value.ts";
import { evaluated, type Finding } from "../names/named-values.ts";
import { valueName } from "../names/reference-index.ts";
import { missing, noSuchInstance } from "../names/unresolved.ts";
import { hasKey } from "../resources/expansion.ts";
import { instanceKey } from "../resources/instance-key.ts";
import type { Access } from "../resources/resource-values.ts";
import { ephemeralOutput } from "../variables/ephemeral.ts";
import type { ModuleInstance } from "./module-instance.ts";

/** `module.NAME`, with the steps that follow: an instance's key and an output, as far as they are written. */
export function resolveModule(
  finding: Finding,
  steps: readonly PathStep[],
  name: string,
  from: ModuleInstance,
  accesses: Access[] | undefined,
): Resolution {
  const calls = from.configuration.modules;
  if (!calls.has(name)) return missing("module", name, calls.keys());
  const { expansion, instances } = from.called(name) ?? { expansion: "unknown" };
  if (expansion === "unknown") return { value: unknownValue(dynamicType), consumed: 1 };
  const whole = (module: ModuleInstance): Value => allOutputs(finding, module, accesses);
  const key = expansion.kind === "single" ? undefined : instanceKey(expansion.kind, steps[1]);
  if (expansion.kind !== "single" && key === undefined) {
    const all = [...instances!].map(([one, module]) => [String(one), whole(module)] as const);
    const value =
      expansion.kind === "count" ? tupleValue(all.map(([, one]) => one)) : objectValue(new Map(all));
    return { value, consumed: 1 };
  }
  if (!hasKey(expansion, key)) return noSuchInstance(inModule(from.address, `module.${name}`), key);
  const module = instances!.get(key)!;
  const consumed = expansion.kind === "single" ? 1 : 2;
  const step = steps[consumed];
  if (step === undefined || "index" in step) return { value: whole(module), consumed };
  const wanted = "attribute" in step ? step.attribute : step.key;
  const { outputs } = module.configuration;
  const output = outputs.get(wanted);
  if (output === undefined) return missing(`output of module "${name}"`, wanted, outputs.keys());
  return { value: outputValue(finding, output, module, accesses), consumed: consumed + 1 };
}

const outputValue = (
  finding: Finding,
  output: Output,
  module: ModuleInstance,
  accesses: Access[] | undefined,
): Value =>
  finding.named(valueName(module, "output", output.name), accesses, (own) => {
    const value = evaluated(finding, output.expression, module, {}, own);
    const shown = output.sensitive ? withMark(value, "sensitive") : value;
    if (output.ephemeral) return withMark(shown, "ephemeral");
    if (!containsMark(value, "ephemeral")) return shown;
    finding.report(ephemeralOutput(output, "Set ephemeral = true in it, or use ephemeralasnull()."));
    return unknownValue(dynamicType);
  });

const allOutputs = (finding: Finding, module: ModuleInstance, accesses: Access[] | undefined): Value =>
  objectValue(
    new Map(
      [...module.configuration.outputs.values()].map((output) => [
        output.name,
        outputValue(finding, output, module, accesses),
      ]),
    ),
  );
