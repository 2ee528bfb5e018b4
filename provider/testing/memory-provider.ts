/**
 * @module A provider whose "host" is a JSON file, so that what the protocol layer does can be seen without SSH. It
 * keeps to every rule of core's, and some of its resources' contents ask it to misbehave.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { PlanRequest, PlanResponse, Provider, ReadRequest } from "../../src/core/provider.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { Action } from "../../src/revision/decision.ts";
import {
  dynamic,
  number,
  type ResourceSchema,
  schemaType,
  string,
  stringList,
  stringMap,
} from "../../src/schema/schema.ts";
import { valuesEqual } from "../../src/values/equal.ts";
import { fromJson, jsonText, parseJson, toJson } from "../../src/values/json/json.ts";
import { at } from "../../src/values/path.ts";
import { numberType, stringType, type Type } from "../../src/values/type.ts";
import {
  isNull,
  isUnknown,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  unknownValue,
  type Value,
} from "../../src/values/value.ts";

const note: ResourceSchema = {
  version: 1,
  describe: "A note on the host.",
  attributes: {
    name: string({ required: true, identity: true, describe: "Its name." }),
    text: string({ optional: true, describe: "What it says; some texts ask for trouble." }),
    secret: string({ optional: true, sensitive: true, describe: "Not shown." }),
    weight: number({ optional: true, describe: "Any number." }),
    lines: stringList({ optional: true, describe: "More of it." }),
    labels: stringMap({ optional: true, describe: "Labels." }),
    triggers: dynamic({ optional: true, describe: "Anything." }),
    length: number({ computed: true, describe: "Characters of the text." }),
    revision: string({ computed: true, describe: "New after every change." }),
  },
  blocks: {
    place: {
      describe: "Where it hangs.",
      attributes: {
        wall: string({ required: true, describe: "Which wall." }),
        height: number({ optional: true, describe: "In centimetres." }),
      },
      blocks: {},
    },
  },
};
const noteType = schemaType(note);
const typeName = "conn3x_note";
const decision = (action: Action) => ({ action, reasons: [], edits: [], drift: [], requiresReplace: [] });
const bytes = (text: string): Uint8Array => Buffer.from(text);
const attribute = (object: Value, name: string): Value => {
  const found = (object.data as ReadonlyMap<string, Value>).get(name);
  if (found === undefined) throw new TypeError(`there is no attribute ${name}`);
  return found;
};
const withAttributes = (object: Value, changes: Readonly<Record<string, Value>>): Value =>
  objectValue(new Map([...(object.data as ReadonlyMap<string, Value>), ...Object.entries(changes)]));
const textOf = (object: Value, name: string): string | undefined => {
  const { data } = attribute(object, name);
  return typeof data === "string" ? data : undefined;
};

/** @param hostFile what is on the "host": an object of notes by name; made when it is missing */
export function createMemoryProvider(hostFile: string): Provider {
  const load = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(hostFile, "utf8")) as Record<string, string>;
    } catch {
      return {};
    }
  };
  const store = (name: string, object: Value | undefined): void => {
    const { [name]: _, ...others } = load();
    const all = object === undefined ? others : { ...others, [name]: jsonText(toJson(object, noteType)) };
    writeFileSync(hostFile, JSON.stringify(all));
  };
  const stored = (name: string): Value | undefined => {
    const json = load()[name];
    if (json === undefined) return undefined;
    const read = fromJson(parseJson(json), noteType);
    return "value" in read ? read.value : undefined;
  };
  let prefix = "";
  let stopped = false;

  return {
    schema: {
      provider: {
        describe: "Notes.",
        attributes: { prefix: string({ optional: true, describe: "Put before every text on the host." }) },
        blocks: {},
      },
      resources: new Map([[typeName, note]]),
    },
    validateProviderConfig: (config) =>
      textOf(config, "prefix") === "bad"
        ? [errorDiagnostic("Bad prefix", "It is bad.", { attribute: at("prefix") })]
        : [],
    configure: (config) => {
      prefix = textOf(config, "prefix") ?? "";
      return [];
    },
    validateResourceConfig: (_, config) => validateNote(config),
    upgradeState: (_, version, json) => {
      const read = fromJson(parseJson(json), noteType);
      if ("error" in read) return { diagnostics: [errorDiagnostic("Unreadable state", read.error)] };
      const diagnostics = version === 1 ? [] : [errorDiagnostic("Unknown version", `It is ${version}.`)];
      return { value: read.value, diagnostics };
    },
    readResource: async ({ current, private: kept }: ReadRequest) => {
      const found = stored(textOf(current, "name") ?? "");
      // The plan of the same run sees what a read keeps.
      const reads = Number(Buffer.from(kept).toString() || "0") + 1;
      return { state: found ?? nullValue(noteType), private: bytes(String(reads)), diagnostics: [] };
    },
    planResource: async (request) => planNote(request),
    lookForExisting: async () => ({}),
    applyResource: async ({ prior, planned }) => {
      if (isNull(planned)) {
        if (textOf(prior, "text") === "stays whatever happens") throw new RangeError("asked to");
        store(textOf(prior, "name") ?? "", undefined);
        return { state: nullValue(noteType), private: bytes(""), diagnostics: [] };
      }
      const text = textOf(planned, "text") ?? "";
      if (text === "throw in apply") throw new RangeError("asked to");
      if (text === "throw outside of a call") {
        setTimeout(() => {
          throw new RangeError("nobody catches this");
        }, 10);
        return new Promise(() => undefined);
      }
      if (text === "wait for the stop") {
        writeFileSync(`${hostFile}.waiting`, "");
        while (!stopped) await new Promise((resolve) => setTimeout(resolve, 20));
        return failed("Stopped", "The user asked to stop.", nullValue(noteType));
      }
      const made = withAttributes(planned, {
        length: numberValue(text.length + prefix.length),
        revision: isUnknown(attribute(planned, "revision"))
          ? stringValue(randomBytes(8).toString("hex"))
          : attribute(planned, "revision"),
      });
      store(textOf(made, "name") ?? "", made);
      if (text === "fail half-way") return failed("Half of it", "The rest failed.", made);
      return { state: made, private: bytes("applied"), diagnostics: [] };
    },
    importResource: async (type, id) => {
      const found = stored(id);
      if (found === undefined) return { imported: [], diagnostics: [errorDiagnostic("No such note", id)] };
      return { imported: [{ type, state: found, private: bytes("imported") }], diagnostics: [] };
    },
    stop: () => {
      stopped = true;
    },
    close: async () => undefined,
  };
}

function failed(summary: string, detail: string, state: Value) {
  return { state, private: bytes("partial"), diagnostics: [errorDiagnostic(summary, detail)] };
}

function validateNote(config: Value): readonly Diagnostic[] {
  const text = textOf(config, "text");
  if (text === "throw in validate") throw new TypeError("asked to");
  if (text === "invalid") return [errorDiagnostic("Invalid text", "It says so.", { attribute: at("text") })];
  if (text === "odd") return [warningDiagnostic("Odd text", "It says so.", { attribute: at("text") })];
  return [];
}

async function planNote({ prior, config, priorPrivate }: PlanRequest): Promise<PlanResponse> {
  if (isNull(config)) {
    return {
      planned: config,
      requiresReplace: [],
      private: priorPrivate,
      diagnostics: [],
      decision: decision("delete"),
    };
  }
  if (textOf(config, "text") === "throw in plan") throw new RangeError("asked to");
  const computed = (name: string, type: Type): Value =>
    same ? attribute(prior, name) : unknownValue(type, { notNull: true });
  const same =
    !isNull(prior) &&
    [...(config.data as ReadonlyMap<string, Value>)].every(
      ([name, value]) =>
        name === "length" || name === "revision" || valuesEqual(value, attribute(prior, name)),
    );
  const planned = withAttributes(config, {
    length: computed("length", numberType),
    revision: computed("revision", stringType),
  });
  const renamed = !isNull(prior) && !valuesEqual(attribute(prior, "name"), attribute(config, "name"));
  return {
    planned,
    requiresReplace: renamed ? [at("name")] : [],
    private: priorPrivate,
    diagnostics: textOf(config, "text") === "odd" ? [warningDiagnostic("Odd plan", "It is odd.")] : [],
    decision: decision(same ? "none" : renamed ? "replace" : isNull(prior) ? "create" : "update"),
  };
}
