/**
 * @module What an object needs of its host besides what it is made of: looked at while planning, so that a missing user or
 * a full disk shows before anything is touched (P4).
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { Found, Need } from "../kind.ts";
import type { NeedFacts } from "./facts.ts";

/** Less than this is not worth asking for. Bytes. */
export const largeContent = 1024 * 1024;

/**
 * @param found what was found of the need
 * @param othersChange whether the same run changes something else on the host, which may bring what is missing
 */
export function unmet<F>(
  need: Need<F>,
  found: Found<NeedFacts>,
  object: Found<F>,
  othersChange: boolean,
): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const attribute = { attribute: at(need.attribute) };
  const { facts } = found;
  if (need.what === "space") {
    if (facts.what !== "space" || need.bytes <= facts.bytes || need.isMet(object)) return [];
    const say = othersChange ? warningDiagnostic : errorDiagnostic;
    const detail = `${need.path} takes ${size(need.bytes)}, and its file system on the host has ${size(facts.bytes)} left.`;
    return [say("Not enough space", detail, attribute)];
  }
  if (facts.what === "space" || facts.exists || othersChange) return [];
  return [
    errorDiagnostic(
      `No such ${need.what}`,
      `The host has no ${need.what} ${need.name}. Name another, or let an earlier step make it.`,
      attribute,
    ),
  ];
}

/** `1.5 GiB` */
function size(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}
