/**
 * @module Values of ephemeral variables beside a saved plan: no file holds them, so that they are given again when it is
 * applied, for the variables that had one when it was made.
 */
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { VariableInput } from "../evaluate/variables/variable-input.ts";

type Declared = Pick<Configuration, "variables">;

const isEphemeral = ({ variables }: Declared, name: string): boolean =>
  variables.get(name)?.ephemeral === true;

export interface InputsOfPlan {
  /** The inputs that a saved plan may store. */
  readonly variables: readonly VariableInput[];
  /** Names of the ephemeral variables that had a value from outside. */
  readonly ephemeral: readonly string[];
}

/** What a plan that was made with these inputs stores of them. */
export const storedInputs = (inputs: readonly VariableInput[], declared: Declared): InputsOfPlan => ({
  variables: inputs.filter(({ name }) => !isEphemeral(declared, name)),
  ephemeral: [...new Set(inputs.map(({ name }) => name))].filter((name) => isEphemeral(declared, name)),
});

/**
 * The stored inputs with what is given now.
 *
 * @param given all that is given from outside: only what is ephemeral counts of it
 */
export function inputsAgain(
  { variables, ephemeral }: InputsOfPlan,
  given: readonly VariableInput[],
  declared: Declared,
): { readonly inputs: readonly VariableInput[]; readonly problems: readonly Diagnostic[] } {
  const again = given.filter(({ name }) => isEphemeral(declared, name));
  const names = new Set(again.map(({ name }) => name));
  const missing = ephemeral.filter((name) => isEphemeral(declared, name) && !names.has(name));
  const more = [...names].filter((name) => !ephemeral.includes(name));
  return {
    inputs: [...variables, ...again],
    problems: [
      ...missing.map((name) => notGivenAgain(name, declared)),
      ...more.map((name) => notGivenBefore(name, declared)),
    ],
  };
}

/** For looking at the plan again: what nobody keeps is not known. */
export const inputsToShow = ({ variables, ephemeral }: InputsOfPlan): readonly VariableInput[] => [
  ...variables,
  ...ephemeral.map((name): VariableInput => ({ name, text: "", form: "broken", source: "" })),
];

const about = (name: string, { variables }: Declared) => ({ range: variables.get(name)!.range });

const notGivenAgain = (name: string, declared: Declared): Diagnostic =>
  errorDiagnostic(
    `No value for variable "${name}"`,
    `It is ephemeral, so that the plan does not have the value that it was made with. Give it again, as when it was planned: with -var '${name}=…', in a -var-file, or as TF_VAR_${name}.`,
    about(name, declared),
  );

const notGivenBefore = (name: string, declared: Declared): Diagnostic =>
  errorDiagnostic(
    `Variable "${name}" had its default when the plan was made`,
    "It is given another value now, which is not what was planned. Leave it out, or plan again.",
    about(name, declared),
  );
