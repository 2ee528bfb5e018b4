/**
 * @module `conn3x state mv`
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { InstanceKey } from "../../engine/plan.ts";
import { type EditOptions, editState } from "../../engine/state/edit.ts";
import type { State } from "../../engine/state/state.ts";
import {
  formatAddress,
  type InstanceAddress,
  type ModuleStep,
  moduleText,
  parseAddress,
  parseModule,
  type ResourceName,
} from "../../values/address.ts";
import type { Context, ExitCode } from "../command.ts";
import { changeStateWith, stateEngineOf } from "../engine-state.ts";
import {
  addressesOf,
  lockTimeoutOf,
  readStored,
  type StoredInstance,
  selectInstances,
  statePlaceOf,
  storedInstances,
} from "../stored.ts";

/** An instance and where it goes. */
interface Move {
  readonly from: StoredInstance;
  readonly resource: ResourceName;
  readonly key: InstanceKey;
  readonly to: string;
}

export async function runStateMv(context: Context): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const engine = stateEngineOf(options);
  if (engine !== undefined)
    return changeStateWith(engine, context, {
      words: ["mv", ...(options.flag("dry-run") ? ["-dry-run"] : [])],
      args,
    });
  const [source = "", destination = ""] = args;
  let moves: readonly Move[] = [];
  const find = (state: Pick<State, "resources">): readonly Diagnostic[] => {
    const planned = planMoves(storedInstances(state), source, destination);
    moves = planned.moves;
    return planned.problem === undefined ? [] : [planned.problem];
  };
  const dry = options.flag("dry-run");
  const edit: EditOptions = {
    path: await statePlaceOf(options),
    operation: "state mv",
    lockTimeout: lockTimeoutOf(options),
  };
  const said = dry
    ? await readStored(options).then(({ file, problem }) => (file === undefined ? [problem] : find(file)))
    : await editState(edit, (store) => {
        const problems = find(store.state);
        // All go before any arrives: one may take the place of another.
        for (const { from } of moves) store.remove(from.resource, from.stored.key, from.stored.deposed);
        for (const { from, resource, key } of moves)
          store.put(from.type, resource.name, { ...from.stored, key }, resource.module);
        return problems;
      });
  terminal.report(said);
  if (hasErrors(said)) return 1;
  for (const { from, to } of moves.filter(({ from }) => isFirst(from, moves)))
    terminal.out(`${dry ? "Would move" : "Moved"} ${from.address} to ${to}\n`);
  return 0;
}

/** Whether nothing else at its address was said to move: an old object goes with its instance. */
const isFirst = ({ address, stored }: StoredInstance, moves: readonly Move[]): boolean =>
  moves.find(({ from }) => from.address === address)?.from.stored === stored;

/** A resource or module goes with all of its instances and keeps their keys; an instance goes by itself. */
export function planMoves(
  instances: readonly StoredInstance[],
  source: string,
  destination: string,
): { readonly moves: readonly Move[]; readonly problem?: Diagnostic } {
  const { selected, problem } = selectInstances(instances, [source]);
  if (problem !== undefined) return { moves: [], problem };
  const module = parseModule(source);
  const planned =
    module === undefined
      ? moveResource(selected, source, destination)
      : moveModule(selected, module, destination);
  if (planned.problem !== undefined) return planned;
  const leaving = new Set(selected.map(({ address }) => address));
  const taken = planned.moves.find(
    ({ to }) => !leaving.has(to) && instances.some(({ address }) => address === to),
  );
  return taken === undefined
    ? planned
    : refused("There is something at that address", `${taken.to} is in the state already.`);
}

type Planned = ReturnType<typeof planMoves>;

function moveResource(selected: readonly StoredInstance[], source: string, destination: string): Planned {
  const target = parseAddress(destination);
  const { type } = selected[0]!;
  if (target === undefined)
    return refused("That is no address", `${destination} has not the form TYPE.NAME or TYPE.NAME["KEY"].`);
  if (target.type !== type) {
    return refused("The type cannot change", `${source} is a ${type}, so it cannot become ${destination}.`);
  }
  const whole = selected.some(({ resource }) => resource === source);
  const count = addressesOf(selected).length;
  if (whole && target.key !== undefined && count > 1) {
    return refused(
      "These are several instances",
      `${source} has ${count} of them; name one, or a resource to move all to.`,
    );
  }
  return {
    moves: selected.map((from) =>
      move(from, { ...target, key: whole && target.key === undefined ? from.stored.key : target.key }),
    ),
  };
}

/** Without a key on either side all of the module's instances go, and keep theirs. */
function moveModule(
  selected: readonly StoredInstance[],
  source: readonly ModuleStep[],
  destination: string,
): Planned {
  const target = parseModule(destination);
  if (target === undefined)
    return refused("That is no module", `${destination} has not the form module.NAME or module.NAME["KEY"].`);
  const [last, now] = [source.at(-1)!, target.at(-1)!];
  const keys = new Set(
    selected.map(({ resource }) => parseAddress(resource)!.modules[source.length - 1]!.key),
  );
  const whole = last.key === undefined && now.key === undefined;
  if (!whole && last.key === undefined && !(keys.size === 1 && keys.has(undefined))) {
    return refused(
      "These are several instances",
      `module.${last.name} has the keys ${[...keys].map((key) => JSON.stringify(key)).join(", ")}; name one, or a module to move all to.`,
    );
  }
  return {
    moves: selected.map((from) => {
      const address = parseAddress(from.resource)!;
      const own = { name: now.name, key: whole ? address.modules[source.length - 1]!.key : now.key };
      const modules = [...target.slice(0, -1), own, ...address.modules.slice(source.length)];
      return move(from, { ...address, modules, key: from.stored.key });
    }),
  };
}

function move(from: StoredInstance, to: InstanceAddress): Move {
  const { type, name, key } = to;
  return { from, resource: { module: moduleText(to), type, name }, key, to: formatAddress(to) };
}

const refused = (summary: string, detail: string) => ({
  moves: [],
  problem: errorDiagnostic(summary, detail),
});
