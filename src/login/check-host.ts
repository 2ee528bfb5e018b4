/**
 * @module What is wrong with a circuit's host: its address and its settings.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { Given, GivenEntry } from "./given.ts";
import {
  badGroup,
  emptyAddress,
  isHostName,
  nameAsSetting,
  noAddress,
  notAHost,
  notAnAddress,
  notGroups,
} from "./host-problems.ts";
import { checkHops, checkOneJumpPath, warnOfRepeatedHops } from "./jump-path.ts";
import { checkSshSetting, hostSettings } from "./settings.ts";

/** @param setting which it is about; undefined for the host as a whole */
export type ReportOfHost = (problem: Diagnostic, setting?: string) => void;

/**
 * @param ownName the host's name, where its value may hold it
 * @returns settings that cannot be used; what is there by a wrong name is not used anyway
 */
export function checkHost(host: Given, report: ReportOfHost, ownName?: string): ReadonlySet<string> {
  if (host.kind === "unknown") return new Set();
  if (host.kind === "string") return checkAddress(host, report);
  if (host.entries !== undefined) return checkHostObject(host.entries, host, report, ownName);
  report(notAHost(host.called, { range: host.range }));
  return onlyAddress;
}

const onlyAddress: ReadonlySet<string> = new Set(["address"]);

function checkHostObject(
  entries: readonly GivenEntry[],
  host: Given,
  report: ReportOfHost,
  ownName: string | undefined,
): ReadonlySet<string> {
  const unusable = new Set<string>();
  const misspelt = checkNames(entries, report, ownName);
  const wrong = (problem: Diagnostic, setting: string): void => {
    unusable.add(setting);
    report(problem, setting);
  };
  for (const { name, value } of entries) {
    if (name === "address") for (const setting of checkAddress(value, report)) unusable.add(setting);
    if (name === "groups") checkGroups(value, (problem) => wrong(problem, name));
    // A name that means nothing does not keep a jump host from being used.
    if (name === "bastion")
      checkHops(
        value,
        (problem) => wrong(problem, name),
        (problem) => report(problem, name),
      );
  }
  checkOneJumpPath(entries, wrong);
  // Beside values there is their text, which has been looked at.
  if (host.isWritten) warnOfRepeatedHops(entries, report);
  if (entries.some(({ name }) => name === "address")) return unusable;
  if (!misspelt) report(noAddress({ range: host.range }));
  return unusable.add("address");
}

/** @returns whether one was meant to be the address */
function checkNames(
  entries: readonly GivenEntry[],
  report: ReportOfHost,
  ownName: string | undefined,
): boolean {
  let misspelt = false;
  for (const { name, nameRange, value } of entries) {
    if (name === undefined) continue;
    if (name === "name") {
      if (ownName === undefined || value.text !== ownName) report(nameAsSetting({ range: nameRange }), name);
    } else if (
      !checkSshSetting(name, nameRange, hostSettings, "a host", (problem) => report(problem, name))
    ) {
      misspelt ||= nearest(name, hostSettings) === "address";
    }
  }
  return misspelt;
}

/** The names of a host's groups: a list or a set. */
function checkGroups({ kind, items, called, range }: Given, report: (problem: Diagnostic) => void): void {
  if (kind === "unknown" || kind === "null") return;
  if (items === undefined) report(notGroups(called, { range }));
  for (const group of items ?? []) {
    if (group.kind === "unknown") continue;
    if (group.kind !== "string") report(badGroup(group.called, { range: group.range }));
    else if (!isHostName(group.text!)) report(badGroup(quoted(group.text!), { range: group.range }));
  }
}

function checkAddress(address: Given, report: ReportOfHost): ReadonlySet<string> {
  const problem = problemOfAddress(address);
  if (problem === undefined) return new Set();
  report(problem, "address");
  return onlyAddress;
}

function problemOfAddress({ kind, text = "", called, isWritten, range }: Given): Diagnostic | undefined {
  switch (kind) {
    case "unknown":
      return undefined;
    case "null":
      return isWritten ? notAnAddress(called, { range }) : noAddress({ range });
    case "string":
      return text.trim() === "" ? emptyAddress({ range }) : undefined;
    default:
      return notAnAddress(called, { range });
  }
}
