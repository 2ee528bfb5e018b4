/**
 * @module Names that share a number with the one that a host reports: a user or group is the number, and `stat` prints one
 * of its names.
 */
import { raw, type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import type { PathFacts } from "./path-facts.ts";
import { setting } from "./settings.ts";

/** Prints a line for the owner and one for the group: the wanted name where it is that of the number, else nothing. */
export const askNames = (object: PlainObject, { uid, gid, owner, group }: PathFacts): Script => {
  const names = otherNames(object, { owner, group });
  const user =
    names.owner === undefined
      ? raw("")
      : script`[ "$(id -u -- ${names.owner} 2>/dev/null)" = ${uid} ] && printf %s ${names.owner}`;
  const team =
    names.group === undefined
      ? raw("")
      : script`case $(getent group ${names.group} 2>/dev/null) in *:*:${gid}:*) printf %s ${names.group} ;; esac`;
  return script`${user}
echo
${team}
echo`;
};

/** Whether other names are wanted than those that the host reports. */
export function hasOtherNames(object: PlainObject, facts: Pick<PathFacts, "owner" | "group">): boolean {
  const names = otherNames(object, facts);
  return names.owner !== undefined || names.group !== undefined;
}

function otherNames(object: PlainObject, facts: Pick<PathFacts, "owner" | "group">) {
  const other = (name: "owner" | "group"): string | undefined => {
    const wanted = setting(object, name);
    return wanted === undefined || wanted === facts[name] || /^\d+$/.test(wanted) ? undefined : wanted;
  };
  return { owner: other("owner"), group: other("group") };
}

/**
 * @param stdout begins with what {@link askNames} printed
 * @returns the facts with the wanted names where these mean the same, and the rest of the answer
 * @throws AnswerError when it does not
 */
export function takeNames<F extends PathFacts>(
  stdout: Buffer,
  facts: F,
): { readonly facts: F; readonly rest: Buffer } {
  const first = stdout.indexOf("\n");
  const second = stdout.indexOf("\n", first + 1);
  if (first < 0 || second < 0) throw new AnswerError("the answer about owners ends too early");
  const [owner, group] = [stdout.toString("utf8", 0, first), stdout.toString("utf8", first + 1, second)];
  return {
    facts: { ...facts, ...(owner === "" ? {} : { owner }), ...(group === "" ? {} : { group }) },
    rest: stdout.subarray(second + 1),
  };
}
