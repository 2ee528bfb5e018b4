/**
 * @module The front of the compiler: a configuration directory → its {@link Configuration} (`loadConfiguration`) → HCL or JSON
 * for other engines (`emitTree`, `writeOutputs`). The embedded engine evaluates the model itself.
 */

// The model: what a configuration means.
export type {
  Address,
  Backend,
  Circuit,
  Condition,
  Configuration,
  Import,
  Lost,
  ModuleCall,
  Moved,
  NamedExpression,
  Output,
  Removed,
  Resource,
  Variable,
} from "./model.ts";
export { loadConfiguration } from "./source/load.ts";

// What it is written as for other engines.
export { emitHcl, providerSource } from "./emit/hcl.ts";
export { emitJson } from "./emit/json.ts";
export { allDirectories, type DirectoryOutputs, emitTree } from "./emit/tree.ts";
export { readHeader, withSourceIn } from "./outputs/generated.ts";
export { removeLeftOutputs } from "./outputs/left-outputs.ts";
export { type FileAction, type OutputPlan, planOutputs } from "./outputs/outputs.ts";
export { checkOutputs, writeOutputs } from "./outputs/write-outputs.ts";
export { embeddedOnly, noEffectWithEngines } from "./source/embedded-only.ts";

// Questions about the model that evaluating it asks as well.
export { readAddress } from "./address.ts";
export { isLost } from "./check/references.ts";
export { readDynamic, typeOfBlocks } from "./declare/dynamic-block.ts";
export { placeOf } from "./declare/labels.ts";
export { literalKey } from "./hosts/literal.ts";
export { expressionsOf } from "./lower/expressions.ts";
export { rewriteBody, rewriteExpression, visitExpression } from "./lower/rewrite.ts";
export { byOwnKeyRoot, onHostRoot } from "./host-instances.ts";
export { hostsLocalName, isHostsLocalName } from "./names.ts";

// JSON with positions, for files with values.
export { setTwice } from "./json/body.ts";
export { nativeText } from "./json/native-text.ts";
export { parseJson } from "./json/parse.ts";
