/**
 * @module Whether a host has users and groups of certain names, and how much space it has: one question about all of them.
 */

import { lines, raw, type Script, script } from "../../script/script.ts";
import { oneUp } from "../../script/upwards.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Facts, type Found } from "../kind.ts";

export type NeedFacts =
  | { readonly what: "user" | "group"; readonly exists: boolean }
  /** Bytes that are left for whoever may use all of them. */
  | { readonly what: "space"; readonly bytes: number };

const what = (subject: PlainObject): string => String(subject.what);
const name = (subject: PlainObject): string => String(subject.name);
const kinds = ["user", "group", "space"] as const;

/** A subject is `{ what, name }`: the name of a user or group, or a path. */
export const needFacts: Facts<NeedFacts, PlainObject> = {
  subject: (object) => object,
  ask: askNeeds,
  parse: parseNeeds,
};

/**
 * getent(1) also knows who is in a directory service; where there is none, or it knows one by another spelling, the files
 * and id(1) are asked. df(1) in POSIX's form has one line for each file, after a heading.
 */
const functions = raw(`
c3x_named() {
  d=$1; shift
  f=$(getent "$d" "$@" 2>/dev/null; cat "/etc/$d" 2>/dev/null)
  for n do
    case "
$f" in
      *"
$n:"*) echo y ;;
      *) if [ "$d" = passwd ] && id -u "$n" >/dev/null 2>&1; then echo y; else echo n; fi ;;
    esac
  done
}
c3x_space() {
  for p do
    shift
    while [ -n "$p" ] && ! [ -d "$p" ]; do ${oneUp("p")}; done
    set -- "$@" "\${p:-/}"
  done
  df -Pk -- "$@" 2>/dev/null
}`);

function askNeeds(subjects: readonly PlainObject[]): Script {
  const [users, groups, paths] = kinds.map((kind) =>
    subjects.filter((subject) => what(subject) === kind).map(name),
  ) as [string[], string[], string[]];
  return lines([
    functions,
    ...(users.length > 0 ? [script`c3x_named passwd ${users}`] : []),
    ...(groups.length > 0 ? [script`c3x_named group ${groups}`] : []),
    ...(paths.length > 0 ? [script`c3x_space ${paths}`] : []),
  ]);
}

function parseNeeds(stdout: Buffer, subjects: readonly PlainObject[]): readonly Found<NeedFacts>[] {
  const answers = stdout.toString("utf8").split("\n").slice(0, -1);
  const of = (kind: string) => subjects.filter((subject) => what(subject) === kind);
  const [users, groups, paths] = [of("user"), of("group"), of("space")];
  const named = [...users, ...groups];
  if (answers.length < named.length)
    throw new AnswerError("the answer about users and groups ends too early");
  // After the heading.
  const spaces = answers.slice(named.length + 1);
  const found = new Map<PlainObject, Found<NeedFacts>>();
  for (const [i, subject] of named.entries()) {
    const kind = what(subject) === "user" ? "user" : "group";
    found.set(subject, { state: "present", facts: { what: kind, exists: answers[i] === "y" } });
  }
  for (const [i, subject] of paths.entries())
    found.set(subject, spaces.length === paths.length ? space(spaces[i] ?? "") : unknown);
  return subjects.map((subject) => found.get(subject) ?? unknown);
}

const unknown: Found<NeedFacts> = { state: "unreadable", why: "could not be looked at" };

/** What is kept for the superuser counts as well: too much is better than an error that is none. */
function space(line: string): Found<NeedFacts> {
  const fields = /\s(?<blocks>\d+)\s+(?<used>\d+)\s+(?<available>-?\d+)\s+(?:\d+%|-)\s/.exec(line)?.groups;
  if (fields === undefined) return unknown;
  const left = Math.max(Number(fields.available), Number(fields.blocks) - Number(fields.used));
  return { state: "present", facts: { what: "space", bytes: left * 1024 } };
}
