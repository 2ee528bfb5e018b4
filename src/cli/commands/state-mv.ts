/**
 * @module `conn3x state mv`
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import {
  formatAddress,
  type InstanceAddress,
  type InstanceKey,
  type ModuleStep,
  moduleText,
  parseAddress,
  parseModule,
  type ResourceName,
} from "../../values/address.ts";
import type { Context, ExitCode } from "../command.ts";
import type { StateEditOption } from "../state/edit-stored.ts";
import { editStored } from "../state/edit-stored.ts";
import { addressesOf, type StoredInstance, selectInstances } from "../state/stored.ts";

/** An instance and where it goes. */
interface Move {
  readonly from: StoredInstance;
  readonly resource: ResourceName;
  readonly key: InstanceKey;
  readonly to: string;
}

export function runStateMv(context: Context<StateEditOption>): Promise<ExitCode> {
  const { terminal, args } = context;
  const [source = "", destination = ""] = args;
  return editStored<Move>(context, {
    word: "mv",
    find(instances) {
      const { moves, ...rest } = planMoves(instances, source, destination);
      return { found: moves, ...rest };
    },
    carryOut(store, moves) {
      // All go before any arrives: one may get the address of another.
      for (const { from } of moves) store.remove(from.resource, from.stored.key, from.stored.deposed);
      for (const { from, resource, key } of moves)
        store.put(from.type, resource.name, { ...from.stored, key }, resource.module);
    },
    report(moves, dry) {
      // An old object goes with its instance.
      const reported = new Map(moves.map(({ from, to }) => [from.address, to]));
      for (const [from, to] of reported) terminal.out(`${dry ? "Would move" : "Moved"} ${from} to ${to}\n`);
    },
  });
}

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
  const staying = new Set(instances.map(({ address }) => address));
  for (const { address } of selected) staying.delete(address);
  const taken = planned.moves.find(({ to }) => staying.has(to));
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
