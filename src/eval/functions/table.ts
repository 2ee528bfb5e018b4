/**
 * @module All functions of the language.
 */
import { randomUUID } from "node:crypto";
import { dynamicType, stringType } from "../../values/type.ts";
import { stringValue, unknownValue } from "../../values/value.ts";
import { type FunctionDefinition, functionError } from "../function-definition.ts";
import { parameter } from "./arguments.ts";
import { conversionFunctions } from "./conversion.ts";
import { encodingFunctions } from "./encoding.ts";
import { errorFunctions } from "./errors.ts";
import { fileFunctions } from "./files.ts";
import { formatFunctions } from "./format.ts";
import { hashFunctions } from "./hashes.ts";
import { listSearchFunctions } from "./list-search.ts";
import { listFunctions } from "./lists.ts";
import { mapFunctions } from "./maps.ts";
import { networkFunctions } from "./network.ts";
import { numberFunctions } from "./numbers.ts";
import { regexFunctions } from "./regex.ts";
import { sensitivityFunctions } from "./sensitivity.ts";
import { setFunctions } from "./sets.ts";
import { stringFunctions } from "./strings.ts";
import { templateFunctions } from "./templates.ts";
import { type Clock, timeFunctions } from "./time.ts";
import { yamlFunctions } from "./yaml.ts";

export interface FunctionTableOptions extends Clock {
  /** Absolute; what relative paths of `file` and its like start from. */
  readonly baseDirectory: string;
}

/**
 * The functions of OpenTofu by name. With `now` undefined, as while planning, what is different each time (`uuid`,
 * `timestamp`) is unknown.
 */
export function functionTable(options: FunctionTableOptions): ReadonlyMap<string, FunctionDefinition> {
  const table = new Map<string, FunctionDefinition>();
  const families: readonly (readonly FunctionDefinition[])[] = [
    conversionFunctions,
    encodingFunctions,
    errorFunctions,
    fileFunctions(options.baseDirectory),
    formatFunctions,
    hashFunctions,
    listFunctions,
    listSearchFunctions,
    mapFunctions,
    networkFunctions,
    numberFunctions,
    regexFunctions,
    sensitivityFunctions,
    setFunctions,
    stringFunctions,
    templateFunctions(options.baseDirectory, () => table),
    timeFunctions(options),
    yamlFunctions,
    [uuid(options)],
    unavailable,
  ];
  for (const definition of families.flat()) table.set(definition.name, definition);
  return table;
}

function uuid({ now }: Clock): FunctionDefinition {
  return {
    name: "uuid",
    params: [],
    returnType: stringType,
    call: () => (now === undefined ? unknownValue(stringType, { notNull: true }) : stringValue(randomUUID())),
  };
}

/** What OpenTofu has and makes no sense here, with the reason. */
const reasons: Readonly<Record<string, string>> = {
  bcrypt:
    "its result is different each time, so that every plan would show a change; hash the password once and keep the hash in a variable",
  rsadecrypt: "decrypted keys do not belong into a configuration; use a key file or an agent",
};

const unavailable = Object.entries(reasons).map(
  ([name, reason]): FunctionDefinition => ({
    name,
    params: [],
    variadic: parameter("args", dynamicType, { allowNull: true, allowUnknown: true }),
    returnType: stringType,
    call: () => functionError(`this function is not available: ${reason}`),
  }),
);
