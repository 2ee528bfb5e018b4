/**
 * @module What `state rm` and `state mv` have in common: another engine does it where one is chosen; `-dry-run` only
 * looks; else what is found is changed under the state's lock.
 */

import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { editState, type State, type StateStore } from "../../engine/index.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";
import type { EngineOption, LockOption, StateOption } from "../command-line/shared-options.ts";
import { changeStateWith, stateEngineOf } from "./engine-state.ts";
import { lockTimeoutOf, readStored, stateBackendOf } from "./state-backend.ts";
import { type StoredInstance, storedInstances } from "./stored.ts";

export type StateEditOption = StateOption | EngineOption | LockOption | FlagSpec<"dry-run">;

export interface StoredEdit<T> {
  /** The command, as engines have it, too. */
  readonly word: "rm" | "mv";
  /** The part of the state that the command is about, or why it is impossible. */
  find(instances: readonly StoredInstance[]): { readonly found: readonly T[]; readonly problem?: Diagnostic };
  carryOut(store: StateStore, found: readonly T[]): void;
  /**
   * Says what was done.
   *
   * @param dry whether it would only be done
   */
  report(found: readonly T[], dry: boolean): void;
}

export async function editStored<T>(
  context: Context<StateEditOption>,
  edit: StoredEdit<T>,
): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const dry = options.flag("dry-run");
  const engine = stateEngineOf(options);
  if (engine !== undefined)
    return changeStateWith(engine, context, { words: [edit.word, ...(dry ? ["-dry-run"] : [])], args });
  let found: readonly T[] = [];
  const find = (state: Pick<State, "resources">): readonly Diagnostic[] => {
    const answer = edit.find(storedInstances(state));
    found = answer.found;
    return answer.problem === undefined ? [] : [answer.problem];
  };
  const change = async () =>
    editState(
      {
        path: await stateBackendOf(options),
        operation: `state ${edit.word}`,
        lockTimeout: lockTimeoutOf(options),
      },
      (store) => {
        const problems = find(store.state);
        edit.carryOut(store, found);
        return problems;
      },
    );
  const look = async () => {
    const { file, problem } = await readStored(options);
    return file === undefined ? [problem] : find(file);
  };
  const said = await (dry ? look() : change());
  terminal.report(said);
  if (hasErrors(said)) return 1;
  edit.report(found, dry);
  return 0;
}
