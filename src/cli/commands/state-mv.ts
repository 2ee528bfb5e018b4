/**
 * @module `conn3x state mv`
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { InstanceKey } from "../../engine/plan.ts";
import { type EditOptions, editState } from "../../engine/state/edit.ts";
import { instanceAddress, type State } from "../../engine/state/state.ts";
import type { Context, ExitCode } from "../command.ts";
import { parseDuration } from "../option.ts";
import { readStored, type StoredInstance, selectInstances, statePathOf, storedInstances } from "../stored.ts";

/** An instance and where it goes. */
interface Move {
  readonly from: StoredInstance;
  readonly name: string;
  readonly key: InstanceKey;
  readonly to: string;
}

export async function runStateMv({ terminal, options, args }: Context): Promise<ExitCode> {
  const [source = "", destination = ""] = args;
  let moves: readonly Move[] = [];
  const find = (state: Pick<State, "resources">): readonly Diagnostic[] => {
    const planned = planMoves(storedInstances(state), source, destination);
    moves = planned.moves;
    return planned.problem === undefined ? [] : [planned.problem];
  };
  const dry = options.flag("dry-run");
  const edit: EditOptions = {
    path: statePathOf(options),
    operation: "state mv",
    lockTimeout: parseDuration(options.value("lock-timeout") ?? "0s") ?? 0,
  };
  const said = dry
    ? await readStored(options).then(({ file, problem }) => (file === undefined ? [problem] : find(file)))
    : await editState(edit, (store) => {
        const problems = find(store.state);
        for (const { from, name, key } of moves) {
          store.remove(from.resource, from.stored.key);
          store.put(from.type, name, { ...from.stored, key });
        }
        return problems;
      });
  terminal.report(said);
  if (hasErrors(said)) return 1;
  for (const { from, to } of moves)
    terminal.out(`${dry ? "Would move" : "Moved"} ${from.address} to ${to}\n`);
  return 0;
}

/** A resource goes with all of its instances and keeps their keys; an instance goes by itself. */
export function planMoves(
  instances: readonly StoredInstance[],
  source: string,
  destination: string,
): { readonly moves: readonly Move[]; readonly problem?: Diagnostic } {
  const { selected, problem } = selectInstances(instances, [source]);
  if (problem !== undefined) return { moves: [], problem };
  const target = parseAddress(destination);
  const { type } = selected[0]!;
  if (target === undefined)
    return refused("That is no address", `${destination} has not the form TYPE.NAME or TYPE.NAME["KEY"].`);
  if (target.type !== type) {
    return refused("The type cannot change", `${source} is a ${type}, so it cannot become ${destination}.`);
  }
  const whole = selected.some(({ resource }) => resource === source);
  if (whole && target.key !== undefined && selected.length > 1) {
    return refused(
      "These are several instances",
      `${source} has ${selected.length} of them; name one, or a resource to move all to.`,
    );
  }
  const moves = selected.map((from): Move => {
    const key = whole && target.key === undefined ? from.stored.key : target.key;
    return { from, name: target.name, key, to: instanceAddress(`${type}.${target.name}`, key) };
  });
  const leaving = new Set(selected.map(({ address }) => address));
  const taken = moves.find(({ to }) => !leaving.has(to) && instances.some(({ address }) => address === to));
  return taken === undefined
    ? { moves }
    : refused("There is something at that address", `${taken.to} is in the state already.`);
}

const refused = (summary: string, detail: string) => ({
  moves: [],
  problem: errorDiagnostic(summary, detail),
});

function parseAddress(text: string) {
  const parts = /^(?<type>\w+)\.(?<name>[\w-]+)(?:\[(?<key>\d+|"(?:[^"\\]|\\.)*")\])?$/.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { type = "", name = "", key } = parts;
  const parsed: unknown = key === undefined ? undefined : JSON.parse(key);
  const known = typeof parsed === "string" || typeof parsed === "number" ? parsed : undefined;
  return { type, name, key: typeof known === "string" ? known.replace(/([$%])\1\{/g, "$1{") : known };
}
