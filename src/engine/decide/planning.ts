/**
 * @module The state of planning: its input, and what is planned so far.
 */

import type { Provider } from "../../core/index.ts";
import type { InstanceKey } from "../../values/address.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { PhaseValues } from "../evaluate/names/phase-values.ts";
import type { World } from "../evaluate/names/world.ts";
import type { Expansion } from "../evaluate/resources/expansion.ts";
import type { EventSink } from "../event.ts";
import type { Plan } from "../plan.ts";
import type { State, StateResource } from "../state/state.ts";
import type { HostWindow } from "./host-window.ts";
import type { Share } from "./objects/shared-values.ts";
import type { PlannedInstance } from "./planned-instance.ts";
import type { Selection } from "./selection.ts";
import type { Imports } from "./stored/imports.ts";
import type { Moves } from "./stored/moves.ts";
import type { Refreshed, RefreshedInstances } from "./stored/refresh.ts";

/** What is to be decided about. */
export interface DecideOptions {
  readonly loaded: Loaded;
  readonly provider: Provider;
  readonly state: State;
  /** Instances that `moved` blocks gave another address than they are stored at. By the new one. */
  readonly moves: Moves;
  /** What this run imports, in the state already. */
  readonly imports: Imports;
  /** What earlier runs began to make and did not end. */
  readonly begun: ReadonlyMap<string, StateResource>;
  /** Whether an earlier run began to change what a stored instance stands for and did not end. By its stored address. */
  readonly isUnsettled: (resource: string, key: InstanceKey) => boolean;
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  /** What the run is about. */
  readonly selection: Selection;
  /** Addresses of instances that are to be replaced. */
  readonly replace: ReadonlySet<string>;
  readonly events: EventSink;
}

/** The same with what is known so far. */
export interface Planning extends Omit<DecideOptions, "begun"> {
  readonly refreshed: RefreshedInstances;
  /** What earlier runs began to make and did not end, as it is on the hosts. */
  readonly begun: RefreshedInstances;
  /** Old objects whose replacements were made, and that are still to be deleted. */
  readonly deposed: readonly Refreshed[];
  readonly window: HostWindow;
  /** Keeps logins of hosts that are equal once. */
  readonly share: Share;
  readonly values: PhaseValues;
  readonly world: World;
  readonly expansions: Map<string, Expansion>;
  /** By address, where all instances of the resource could be planned. */
  readonly planned: Map<string, readonly PlannedInstance[]>;
}
