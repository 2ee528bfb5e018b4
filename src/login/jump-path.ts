/**
 * @module The jump path of a login: which settings say it, and what is wrong with how they are set.
 *
 * All of it comes from the innermost block that sets any of it: settings further out are another path, not a part of it.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { suggestion } from "../diagnostics/nearest.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Given, GivenEntry } from "./given.ts";
import { sshBlock } from "./schema.ts";
import { unknownSetting } from "./settings.ts";

/** Settings of which each says how the host is reached. */
export const jumpPathSettings = ["proxy_jump", "proxy_command", "bastion"] as const;

export type JumpPathSetting = (typeof jumpPathSettings)[number];

export const isJumpPathSetting = (name: string): name is JumpPathSetting =>
  (jumpPathSettings as readonly string[]).includes(name);

const { attributes } = sshBlock.blocks.bastion!;

/** The settings of a jump host in the schema's order, the address first. */
export const hopSettings: readonly string[] = Object.keys(attributes);

/** The settings of a jump host that must not be stored with a resource. */
export const hopSecrets: readonly string[] = hopSettings.filter((name) => attributes[name]!.sensitive);

/**
 * Name of a jump host's secret in an entry of `circuit_logins`, which is a map of strings: `bastion/0/password`.
 *
 * @param index of the jump host, from 0
 */
export const hopSecretName = (index: number, setting: string): string => `bastion/${index}/${setting}`;

/**
 * Checks what is given as `bastion`.
 *
 * @param reportName receives what is wrong with the names of settings alone
 */
export function checkHops(given: Given, report: Report, reportName: Report = report): void {
  if (given.kind === "unknown" || given.kind === "null") return;
  if (given.items !== undefined) for (const hop of given.items) checkHop(hop, report, reportName);
  // A map's elements are as good as a list's.
  else if (given.isWritten || given.kind !== "object") {
    report(
      errorDiagnostic(
        `"bastion" is ${given.called}`,
        'It is a list with one object for each hop, in order: bastion = [{ address = "10.0.1.9" }].',
        { range: given.range },
      ),
    );
  }
}

function checkHop(hop: Given, report: Report, reportName: Report): void {
  if (hop.kind === "unknown") return;
  const { entries } = hop;
  if (entries === undefined) {
    const detail = `It is ${hop.called}. Write { address = "10.0.1.9" }.`;
    report(errorDiagnostic("This is not a bastion", detail, { range: hop.range }));
    return;
  }
  for (const { name, nameRange } of entries) {
    if (name !== undefined && !hopSettings.includes(name))
      reportName(unknownSetting(name, "a bastion", suggestion(name, hopSettings), nameRange));
  }
  if (entries.every(({ name }) => name !== undefined && name !== "address"))
    report(hopWithoutAddress(hop.range));
}

export const hopWithoutAddress = (range: SourceRange): Diagnostic =>
  errorDiagnostic("This bastion has no address", 'Give it one: address = "10.0.1.9".', { range });

/** Reports settings of one login that say how the host is reached when there is more than one. */
export function checkOneJumpPath(
  settings: readonly GivenEntry[],
  report: (problem: Diagnostic, setting: JumpPathSetting) => void,
): void {
  const set = new Map(settings.map(({ name, value }) => [name, value]));
  const [first, second] = jumpPathSettings.filter((name) => {
    const value = set.get(name);
    return value !== undefined && isSet(value);
  });
  if (second === undefined) return;
  report(
    errorDiagnostic(
      `"${second}" and "${first}" exclude each other`,
      "Each says how the host is reached. Set only one of them.",
      { range: set.get(second)!.range },
    ),
    second,
  );
}

/** In a text whatever is not null counts; a value may turn out to be null, and an empty list is no jump host. */
const isSet = ({ kind, isWritten, items }: Given): boolean =>
  isWritten ? kind !== "null" : kind !== "null" && kind !== "unknown" && items?.length !== 0;

/** Warns about a login with the same jump host twice: that may be intended. @param settings of one login */
export function warnOfRepeatedHops(settings: readonly GivenEntry[], report: Report): void {
  const set = new Map(settings.map(({ name, value }) => [name, value]));
  for (const hops of [jumpsIn(set.get("proxy_jump")), bastionsIn(set.get("bastion"))]) {
    const seen = new Set<string>();
    for (const { name, range } of hops) {
      if (seen.has(name)) report(repeated(name, range));
      seen.add(name);
    }
  }
}

const repeated = (name: string, range: SourceRange): Diagnostic =>
  warningDiagnostic(
    `The way leads through ${quoted(name)} twice`,
    "Each hop is passed in the order in which it is written. Remove one of them.",
    { range },
  );

interface Hop {
  /** Address and port. */
  readonly name: string;
  readonly range: SourceRange;
}

function jumpsIn(jump: Given | undefined): readonly Hop[] {
  const words = jump?.text?.split(",") ?? [];
  return words.map((word) => ({ name: word.trim().replace(/^(ssh:\/\/)?(.+@)?/, ""), range: jump!.range }));
}

/** The jump hosts whose addresses are known. */
const bastionsIn = (list: Given | undefined): readonly Hop[] =>
  (list?.items ?? []).flatMap(({ entries = [] }) => {
    const [address, port] = ["address", "port"].map(
      (name) => entries.find((entry) => entry.name === name)?.value,
    );
    const name = address?.text;
    if (name === undefined || address === undefined) return [];
    if (port === undefined) return [{ name, range: address.range }];
    return port.kind === "other" && port.text !== undefined
      ? [{ name: `${name}:${port.text}`, range: address.range }]
      : [];
  });
