/**
 * @module `moved` blocks that contradict each other: one source with two targets, two sources with one target, cycles.
 * OpenTofu refuses them, too. Source: https://opentofu.org/docs/language/modules/develop/refactoring/
 */

import { errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { formatAddress, moduleText } from "../../values/address.ts";
import { placeOf } from "../declare/labels.ts";
import type { Address, Moved } from "../model.ts";

/** @param moved all moves of one configuration, with those of its circuits */
export function checkMoved(moved: readonly Moved[], report: Report): void {
  const byFrom = new Map<string, Named>();
  const byTo = new Map<string, Named>();
  for (const block of moved) {
    const named = namesOf(block);
    if (mayBecome(block, named, report) && isNew(named, byFrom.get(named.from), byTo.get(named.to), report)) {
      byFrom.set(named.from, named);
      byTo.set(named.to, named);
    }
  }
  checkCircles(byFrom, report);
}

/** A block, with its addresses as text. */
interface Named {
  readonly from: string;
  readonly to: string;
  readonly range: Moved["range"];
}

function namesOf({ from, to, hosts, range }: Moved): Named {
  const of = (address: Address, host: string | undefined): string =>
    host === undefined ? textOf(address) : `${textOf(address)}["${host}/…"]`;
  return { from: of(from, hosts?.from), to: of(to, hosts?.to), range };
}

const textOf = ({ modules, resource }: Address): string =>
  resource === undefined ? moduleText({ modules }) : formatAddress({ modules, ...resource });

function mayBecome({ from, to }: Moved, named: Named, report: Report): boolean {
  const { range } = named;
  const fail = (summary: string, detail: string): boolean => {
    report(errorDiagnostic(summary, detail, { range }));
    return false;
  };
  if ((from.resource === undefined) !== (to.resource === undefined)) {
    return fail(
      from.resource === undefined ? "A module cannot become a resource" : "A resource cannot become a module",
      "One of the two is a module, the other is not. Name two modules, two resources or two instances.",
    );
  }
  if (from.resource?.type !== to.resource?.type && isOurs(from) && isOurs(to))
    return fail("Resources of different types", `${named.from} cannot become ${named.to}.`);
  if (named.from === named.to)
    return fail("Moved to where it is", `Both addresses are ${named.from}. Remove the block.`);
  return true;
}

const isOurs = ({ resource }: Address): boolean => resource?.type.startsWith("conn3x_") === true;

/** Whether it may be followed beside an earlier block with the same `from`, and one with the same `to`. */
function isNew(
  { from, to, range }: Named,
  sameFrom: Named | undefined,
  sameTo: Named | undefined,
  report: Report,
): boolean {
  if (sameFrom?.to === to) {
    const detail = `${placeOf(sameFrom.range)} says the same. Once is enough.`;
    report(warningDiagnostic(`${from} is moved twice`, detail, { range }));
  } else if (sameFrom !== undefined) {
    const detail = `At ${placeOf(sameFrom.range)} it becomes ${sameFrom.to}, here it becomes ${to}. It can become one of them only.`;
    report(errorDiagnostic(`${from} is moved to two places`, detail, { range }));
  } else if (sameTo !== undefined) {
    const detail = `At ${placeOf(sameTo.range)} ${sameTo.from} becomes it, here ${from} does. Where it had both names one after the other, move the first to the second.`;
    report(errorDiagnostic(`Two things are moved to ${to}`, detail, { range }));
  }
  return sameFrom === undefined && sameTo === undefined;
}

/** @param moves no two of them have the same target */
function checkCircles(moves: ReadonlyMap<string, Named>, report: Report): void {
  const done = new Set<string>();
  for (const { from: start, range } of moves.values()) {
    const names: string[] = [];
    for (let at: string | undefined = start; at !== undefined && !done.has(at); at = moves.get(at)?.to) {
      done.add(at);
      names.push(at);
      if (moves.get(at)?.to === start) {
        const detail = `They become each other: ${[...names, start].join(" → ")}. Remove one of these blocks.`;
        report(errorDiagnostic("Moves in a circle", detail, { range }));
      }
    }
  }
}
