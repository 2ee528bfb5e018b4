/**
 * @module Paths of sensitive values in the form that states have: `sensitive_attributes`.
 *
 * Source: OpenTofu's state format version 4: steps `get_attr` with a name, and `index` with a number or a string.
 */

import { BigFloat } from "../../values/big-float.ts";
import { isConversionError } from "../../values/convert.ts";
import { fromJson, type Json, parseJson, typeFromJson } from "../../values/json/json.ts";
import { isJsonArray, isJsonObject } from "../../values/json/json-text.ts";
import type { MarkedPath } from "../../values/marks.ts";
import type { Path, PathStep } from "../../values/path.ts";
import { compareText } from "../../values/set-order.ts";
import { jsonString } from "./json-layout.ts";

const sensitive: MarkedPath["marks"] = new Set(["sensitive"]);

/** Few texts are written into all instances of a resource: those read last. */
const known = new Map<string, readonly MarkedPath[]>();
const mostKnown = 100;

/** Skips paths that are not understood: a newer version may write more of them. */
export function readSensitivePaths(text: string): readonly MarkedPath[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const paths = readPaths(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, paths);
  return paths;
}

function readPaths(text: string): readonly MarkedPath[] {
  const json = parseJson(text);
  if (!isJsonArray(json)) return [];
  return json.flatMap((item) => {
    const path = isJsonArray(item) ? item.map(readStep) : [undefined];
    return path.every((step) => step !== undefined) ? [{ path, marks: sensitive }] : [];
  });
}

function readStep(json: Json): PathStep | undefined {
  if (!isJsonObject(json)) return undefined;
  if (json.type === "get_attr" && typeof json.value === "string") return { attribute: json.value };
  if (json.type !== "index" || !isJsonObject(json.value)) return undefined;
  const type = typeFromJson(json.value.type ?? null);
  const key = type === undefined ? undefined : fromJson(json.value.value ?? null, type);
  if (key === undefined || isConversionError(key)) return undefined;
  const { data } = key.value;
  if (typeof data === "string") return { key: data };
  return data instanceof BigFloat ? { index: data.toNumber() } : undefined;
}

/** In a fixed order, each path once. */
export function sensitivePathsText(paths: readonly MarkedPath[]): string {
  const texts = paths.filter(({ marks }) => marks.has("sensitive")).map(({ path }) => pathText(path));
  return `[${[...new Set(texts)].sort(compareText).join(",")}]`;
}

const pathText = (path: Path): string => `[${path.map(stepText).join(",")}]`;

function stepText(step: PathStep): string {
  if ("attribute" in step) return `{"type":"get_attr","value":${jsonString(step.attribute)}}`;
  const [key, type] = "index" in step ? [step.index, "number"] : [jsonString(step.key), "string"];
  return `{"type":"index","value":{"value":${key},"type":"${type}"}}`;
}
