/**
 * @module One script for several sorts of hosts, with a body for each sort.
 */
import { lines, raw, type Script, script } from "../script/script.ts";

/**
 * @param word shell text inside double quotes that gives the sort on the host
 * @param bodies by sort
 * @param otherwise for a sort that has none; unset: nothing
 */
export function dispatch(
  word: Script,
  bodies: Iterable<readonly [sort: string, body: Script]>,
  otherwise?: Script,
): Script {
  const branches = [...bodies, ...(otherwise === undefined ? [] : [["*", otherwise] as const])];
  return script`case "${word}" in
${lines(branches.map(([sort, body]) => raw(`${sort})\n${body.text}\n;;`)))}
esac`;
}
