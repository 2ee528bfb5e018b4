/**
 * @module Outputs as `tofu output -json` prints them.
 */
import { escapeLikeGo, jsonString, layOut, type StateOutput } from "../../engine/index.ts";
import { compareText } from "../../values/set-order.ts";

/** All: name → sensitive, type, value; laid out. */
export function outputsJson(outputs: ReadonlyMap<string, StateOutput>): string {
  return layOut(outputsMember(outputs), 0);
}

/** The same on one line. */
export function outputsMember(outputs: ReadonlyMap<string, StateOutput>): string {
  const members = [...outputs]
    .sort(([a], [b]) => compareText(a, b))
    .map(
      ([name, { sensitive, type, value }]) =>
        `${jsonString(name)}:{"sensitive":${sensitive},"type":${escapeLikeGo(type)},"value":${escapeLikeGo(value)}}`,
    );
  return `{${members.join(",")}}`;
}

/** One value on one line. */
export const compactJson = (json: string): string => escapeLikeGo(json);
