/**
 * @module Reads a state file in OpenTofu's format version 4. What is not such a state is refused, never repaired.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import { type InstanceKey, inModule, instanceAddress, parseModule } from "../../values/address.ts";
import {
  compactText,
  corrupt,
  expect,
  expectBytes,
  expectCount,
  expectKey,
  expectString,
  expectStrings,
  type KnownParts,
  noKnownParts,
  StateError,
  sharedText,
} from "./expectations.ts";
import { JsonReader, JsonReaderError } from "./json-reader.ts";
import {
  emptyStateFile,
  type ForeignResource,
  type StateFile,
  type StateInstance,
  type StateOutput,
  type StateResource,
  storedProvider,
} from "./state.ts";

export type ReadState =
  | { readonly state: StateFile; readonly problem?: undefined }
  | { readonly state?: undefined; readonly problem: Diagnostic };

/**
 * @param text content of the file; an empty one is no state yet, as for OpenTofu
 * @param path for messages
 */
export function readState(text: string, path: string): ReadState {
  if (text.trim() === "") return { state: emptyStateFile };
  try {
    return { state: readFile(new JsonReader(text)) };
  } catch (error) {
    const refusal = asStateError(error);
    return {
      problem: errorDiagnostic(refusal.message, `${path}: ${refusal.detail} The file was left alone.`),
    };
  }
}

/** @throws the error itself when it is something else */
function asStateError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  if (error instanceof JsonReaderError) return corrupt(`It is not JSON (${error.message}).`);
  throw error;
}

const encrypted = (): StateError =>
  new StateError(
    "State file is encrypted",
    "OpenTofu encrypted this state, and only OpenTofu can read it: use -engine=tofu, where its configuration has the keys, and without -state. For a file elsewhere, tofu state pull in its own directory prints it decrypted.",
  );

function checkVersion(version: unknown): void {
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    throw corrupt("Its format version is not a positive whole number.");
  }
  if (version > 4) {
    throw new StateError(
      "State file is of a newer format",
      `Its format version is ${version}; this version of Conn3x knows version 4. Use a newer Conn3x.`,
    );
  }
  if (version < 4) {
    throw new StateError(
      "State file is of an older format",
      `Its format version is ${version}. Let a current OpenTofu or Terraform apply once, which writes version 4.`,
    );
  }
}

function readFile(reader: JsonReader): StateFile {
  if (reader.kind() !== "object")
    throw new StateError("Not a state file", "Its content is not a JSON object.");
  let version: unknown;
  let toolVersion: string | undefined;
  let serial: number | undefined;
  let lineage: string | undefined;
  let outputs: ReadonlyMap<string, StateOutput> = new Map();
  const resources = new Map<string, StateResource>();
  const foreign: ForeignResource[] = [];
  let checkResults = "null";
  reader.object((name) => {
    // First, or whatever else is found would be called damaged.
    if (name === "encrypted_data") throw encrypted();
    if (name === "version") {
      version = reader.plain();
      checkVersion(version);
    } else if (name === "terraform_version") toolVersion = expectString(reader, "terraform_version");
    else if (name === "serial") serial = expectCount(reader, "serial");
    else if (name === "lineage") lineage = expectString(reader, "lineage");
    else if (name === "outputs") outputs = readOutputs(reader);
    else if (name === "resources") readResources(reader, resources, foreign);
    else if (name === "check_results") checkResults = reader.raw();
    else reader.raw();
  });
  reader.end();
  if (version === undefined) throw new StateError("Not a state file", "It has no format version.");
  if (lineage === undefined || lineage === "") throw corrupt("It has no lineage.");
  if (serial === undefined) throw corrupt("It has no serial.");
  if (toolVersion === undefined || !/^\d+\.\d+\.\d+/.test(toolVersion)) {
    throw corrupt("Its terraform_version is no version.");
  }
  return { toolVersion, serial, lineage, outputs, resources, foreign, checkResults };
}

/** Reads the `outputs` member. */
export function readOutputs(reader: JsonReader): ReadonlyMap<string, StateOutput> {
  const outputs = new Map<string, StateOutput>();
  if (reader.kind() === "null") {
    reader.raw();
    return outputs;
  }
  expect(reader, "object", "outputs");
  reader.object((name) => {
    let value = "null";
    let type = '"dynamic"';
    let sensitive = false;
    expect(reader, "object", `output "${name}"`);
    reader.object((member) => {
      if (member === "value") value = reader.raw();
      else if (member === "type") type = reader.raw();
      else if (member === "sensitive") sensitive = reader.plain() === true;
      else reader.raw();
    });
    outputs.set(name, { value, type, sensitive });
  });
  return outputs;
}

function readResources(
  reader: JsonReader,
  resources: Map<string, StateResource>,
  foreign: ForeignResource[],
): void {
  if (reader.kind() === "null") {
    reader.raw();
    return;
  }
  expect(reader, "array", "resources");
  reader.array(() => {
    const start = reader.position;
    const { head, instances } = readResource(reader);
    const address = addressOf(head);
    if (instances === undefined) {
      foreign.push({ ...head, address, json: reader.since(start) });
      return;
    }
    if (resources.has(address)) throw corrupt(`It holds ${address} twice.`);
    // A resource without instances is what remains of a removed one.
    if (instances.current.size + instances.deposed.size === 0) return;
    const { module, type, name } = head;
    const { current, deposed } = instances;
    const old = deposed.size === 0 ? {} : { deposed };
    resources.set(address, { module, type, name, instances: current, ...old });
  });
}

interface Head {
  readonly module: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly provider: string;
}

interface Instances {
  readonly current: ReadonlyMap<InstanceKey, StateInstance>;
  readonly deposed: ReadonlyMap<string, StateInstance>;
}

/** Reads a resource; its instances only when it is one of ours. */
function readResource(reader: JsonReader): {
  readonly head: Head;
  readonly instances: Instances | undefined;
} {
  const head = { module: "", mode: "", type: "", name: "", provider: "" };
  let instances: Instances | undefined;
  // Where they come before what says whose they are.
  let early: string | undefined;
  expect(reader, "object", "a resource");
  reader.object((name) => {
    if (name === "module" || name === "mode" || name === "type" || name === "name" || name === "provider") {
      head[name] = expectString(reader, name);
    } else if (name === "instances" && isOurs(head)) {
      instances = readInstances(reader, addressOf(head));
    } else if (name === "instances") {
      early = reader.raw();
    } else {
      reader.raw();
    }
  });
  if (head.mode === "" || head.type === "" || head.name === "" || head.provider === "") {
    throw corrupt("A resource in it lacks its mode, type, name or provider.");
  }
  if (head.module !== "" && parseModule(head.module) === undefined)
    throw corrupt(`${head.type}.${head.name} in it has a module that is no address: ${quoted(head.module)}.`);
  if (!isOurs(head)) return { head, instances: undefined };
  return { head, instances: instances ?? readInstances(new JsonReader(early ?? "[]"), addressOf(head)) };
}

const isOurs = ({ provider, mode, type, name }: Head): boolean =>
  provider === storedProvider && mode === "managed" && type !== "" && name !== "";

const addressOf = ({ module, mode, type, name }: Head): string =>
  inModule(module, mode === "data" ? `data.${type}.${name}` : `${type}.${name}`);

function readInstances(reader: JsonReader, address: string): Instances {
  const current = new Map<InstanceKey, StateInstance>();
  const deposed = new Map<string, StateInstance>();
  const known = noKnownParts();
  expect(reader, "array", `the instances of ${address}`);
  reader.array(() => {
    const instance = readInstance(reader, address, known);
    const isTwice =
      instance.deposed === undefined ? current.has(instance.key) : deposed.has(instance.deposed);
    if (isTwice) throw corrupt(`It holds ${instanceAddress(address, instance.key)} twice.`);
    if (instance.deposed === undefined) current.set(instance.key, instance);
    else deposed.set(instance.deposed, instance);
  });
  return { current, deposed };
}

/** Reads one instance object. `address` is for messages. */
export function readInstance(
  reader: JsonReader,
  address: string,
  known: KnownParts = noKnownParts(),
): StateInstance {
  let key: InstanceKey;
  let status: unknown;
  let schemaVersion = 0;
  let attributes: string | undefined;
  let sensitivePaths = "[]";
  let secret: Uint8Array = new Uint8Array();
  let dependencies: readonly string[] = [];
  let createBeforeDestroy = false;
  let deposed = "";
  expect(reader, "object", `an instance of ${address}`);
  reader.object((name) => {
    if (name === "index_key") key = expectKey(reader, address);
    else if (name === "status") status = reader.plain();
    else if (name === "schema_version") schemaVersion = expectCount(reader, "schema_version");
    else if (name === "attributes") {
      expect(reader, "object", `the attributes of ${address}`);
      attributes = compactText(reader.raw());
    } else if (name === "sensitive_attributes") sensitivePaths = sharedText(reader, known);
    else if (name === "private") secret = expectBytes(reader, known);
    else if (name === "dependencies") dependencies = expectStrings(reader, address, known);
    else if (name === "create_before_destroy") createBeforeDestroy = reader.plain() === true;
    else if (name === "deposed") deposed = expectString(reader, "deposed");
    else reader.raw();
  });
  if (attributes === undefined) throw corrupt(`An instance of ${address} in it has no attributes.`);
  if (status !== undefined && status !== "tainted")
    throw corrupt(`An instance of ${address} has an unknown status.`);
  return {
    key,
    tainted: status === "tainted",
    schemaVersion,
    attributes,
    sensitivePaths: sensitivePaths === "null" ? "[]" : sensitivePaths,
    private: secret,
    dependencies,
    createBeforeDestroy,
    ...(deposed === "" ? {} : { deposed }),
  };
}
