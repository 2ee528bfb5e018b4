/**
 * @module What `ssh_config` files say about one host, as ssh(1) would find it: the first value of each keyword counts.
 */
import { dirname, isAbsolute, join } from "node:path";
import { readText } from "../read-text.ts";
import { systemReason } from "../system-reason.ts";
import { BadLine, type ConfigLine, parseConfig } from "./config-lines.ts";
import { includedFiles } from "./include-files.ts";
import { matchesPatterns } from "./patterns.ts";

/** Read after the user's own file. */
export const systemConfig = "/etc/ssh/ssh_config";

/** Whom the files are asked about. */
export interface ConfigQuery {
  /** The name as the user gave it. */
  readonly host: string;
  /** The user to log in as, where that was given and need not be looked up. */
  readonly user?: string | undefined;
  readonly localUser: string;
  readonly home: string;
}

/** One value and where it stands. */
export interface ConfigValue {
  readonly words: readonly string[];
  readonly raw: string;
  /** `FILE line N`. */
  readonly at: string;
}

export interface ConfigFindings {
  /** By keyword in lower case; several values only for keywords that add up. */
  readonly values: ReadonlyMap<string, readonly ConfigValue[]>;
  /** The name or address to connect to. */
  readonly hostName: string;
  /** Whole sentences: what stands there and is not honoured. */
  readonly warnings: readonly string[];
}

/** A file that is there and is of no use: its message says which, and why. */
export class UnusableFile extends Error {}

/** Keywords whose values add up instead of the first one winning. */
const addingUp = ["identityfile", "certificatefile"];

/** How deep files may include one another, as in OpenSSH. */
const deepest = 16;

/** One pass over the files: everything that changes meanwhile. */
interface Pass {
  readonly query: ConfigQuery;
  /** The name that `Host` patterns are compared with. */
  readonly host: string;
  readonly final: boolean;
  readonly values: Map<string, ConfigValue[]>;
  readonly warnings: Set<string>;
  wantsFinal: boolean;
}

/**
 * @param files in the order in which they count; those that are not there say nothing
 * @throws UnusableFile when a file is there and cannot be read
 */
export async function lookUp(files: readonly string[], query: ConfigQuery): Promise<ConfigFindings> {
  const values = new Map<string, ConfigValue[]>();
  const warnings = new Set<string>();
  const pass: Pass = { query, host: query.host, final: false, values, warnings, wantsFinal: false };
  for (const file of files) await readInto(pass, file, baseOf(file, query), true, 0);
  const hostName = hostNameOf(pass).toLowerCase();
  if (pass.wantsFinal) {
    const again: Pass = { ...pass, host: hostName, final: true };
    for (const file of files) await readInto(again, file, baseOf(file, query), true, 0);
  }
  return { values, hostName, warnings: [...warnings] };
}

function hostNameOf({ values, query }: Pass): string {
  const name = values.get("hostname")?.[0]?.words[0];
  if (name === undefined) return query.host;
  return name.replace(/%([%h])/g, (_, letter) => (letter === "h" ? query.host : "%"));
}

/** Where relative names of Include are looked for. */
const baseOf = (file: string, { home }: ConfigQuery): string =>
  file === systemConfig ? dirname(file) : join(home, ".ssh");

async function readInto(
  pass: Pass,
  file: string,
  base: string,
  active: boolean,
  depth: number,
): Promise<void> {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return;
    throw new UnusableFile(`${file} cannot be read: ${systemReason(error)}`);
  }
  let applies = active;
  for (const line of linesOf(text, file)) {
    const at = `${file} line ${line.line}`;
    if (line.keyword === "host") applies = matchesPatterns(line.words, pass.host);
    else if (line.keyword === "match") applies = matches(pass, line, at);
    else if (!applies) continue;
    else if (line.keyword === "include") await include(pass, line, file, base, depth);
    else take(pass, line, at);
  }
}

function linesOf(text: string, file: string): readonly ConfigLine[] {
  try {
    return parseConfig(text);
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    throw new UnusableFile(`${file} line ${error.line} cannot be understood`);
  }
}

async function include(
  pass: Pass,
  line: ConfigLine,
  from: string,
  base: string,
  depth: number,
): Promise<void> {
  if (depth >= deepest) {
    pass.warnings.add(`${from} line ${line.line}: files include one another more than ${deepest} deep.`);
    return;
  }
  for (const word of line.words) {
    const path = word.replace(/^~(?=\/|$)/, pass.query.home);
    for (const file of await includedFiles(isAbsolute(path) ? path : join(base, path))) {
      await readInto(pass, file, base, true, depth + 1);
    }
  }
}

function take({ values }: Pass, { keyword, words, raw }: ConfigLine, at: string): void {
  const before = values.get(keyword);
  const value = { words, raw, at };
  // Whichever of the two comes first keeps the other from counting, except for "ProxyJump none".
  const rival = { proxyjump: "proxycommand", proxycommand: "proxyjump" }[keyword];
  const rivals = rival === undefined ? undefined : values.get(rival);
  if (rivals && !(rival === "proxyjump" && rivals[0]!.raw.toLowerCase() === "none")) return;
  if (before && !addingUp.includes(keyword)) return;
  if (before?.some((other) => other.words[0] === words[0])) return;
  values.set(keyword, [...(before ?? []), value]);
}

/** Criteria that take an argument here; what they are compared with. */
function subject(pass: Pass, criterion: string): string | undefined {
  switch (criterion) {
    case "host":
      return pass.final ? pass.host : hostNameOf(pass).toLowerCase();
    case "originalhost":
      return pass.query.host;
    case "user":
      return pass.query.user ?? pass.values.get("user")?.[0]?.words[0] ?? pass.query.localUser;
    case "localuser":
      return pass.query.localUser;
    default:
      return undefined;
  }
}

function matches(pass: Pass, { words }: ConfigLine, at: string): boolean {
  const left = [...words];
  const unsupported: string[] = [];
  let result = true;
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const negated = word.startsWith("!");
    const [criterion = "", given] = splitAt(negated ? word.slice(1) : word);
    const name = criterion.toLowerCase();
    if (name === "all") continue;
    if (name === "canonical" || name === "final") {
      if (name === "final") pass.wantsFinal = true;
      result &&= pass.final !== negated;
      continue;
    }
    const argument = given ?? left.shift() ?? "";
    const compared = subject(pass, name);
    if (compared === undefined) unsupported.push(name);
    else result &&= matchesPatterns(listOf(name, argument), compared) !== negated;
  }
  if (result && unsupported.length > 0) {
    pass.warnings.add(`"Match ${unsupported[0]}" in ${at} is not honoured: its block is passed over.`);
  }
  return result && unsupported.length === 0;
}

/** Names of hosts are the same in capitals, those of users are not. */
const listOf = (criterion: string, argument: string): string[] =>
  (criterion.endsWith("host") ? argument.toLowerCase() : argument).split(",");

/** `host=web*` as well as `host web*`. */
function splitAt(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
