/**
 * @module Runs groups of tasks in dependency order, with a limit on concurrent tasks.
 */

export interface TaskGroup<T> {
  readonly name: string;
  /** Names of groups that must be done before one of its tasks begins. Names of no group are passed over. */
  readonly after: readonly string[];
  readonly tasks: readonly T[];
}

/**
 * Resolves when every task has ended. Groups begin in the order given, as far as what they wait for allows.
 *
 * @param groups without cycles: a group in one, or behind one, would never begin
 * @param run must not reject: what went wrong is the task's own business
 */
export function runGroups<T>(
  groups: readonly TaskGroup<T>[],
  parallelism: number,
  run: (task: T) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const known = new Set(groups.map(({ name }) => name));
    const waiting = new Map<string, number>();
    const dependents = new Map<string, TaskGroup<T>[]>();
    const left = new Map(groups.map(({ name, tasks }) => [name, tasks.length]));
    const ready: { readonly group: TaskGroup<T>; next: number }[] = [];
    let unfinished = groups.length;
    let running = 0;
    let first = 0;

    /** A list of work instead of recursion: chains of empty groups may be long. */
    const finish = (...done: TaskGroup<T>[]): void => {
      for (const group of done) {
        unfinished--;
        for (const dependent of dependents.get(group.name) ?? []) {
          const count = waiting.get(dependent.name)! - 1;
          waiting.set(dependent.name, count);
          if (count > 0) continue;
          if (dependent.tasks.length === 0) done.push(dependent);
          else ready.push({ group: dependent, next: 0 });
        }
      }
    };
    const begin = (group: TaskGroup<T>): void => {
      if (group.tasks.length === 0) finish(group);
      else ready.push({ group, next: 0 });
    };
    const ended = (group: TaskGroup<T>): void => {
      running--;
      const count = left.get(group.name)! - 1;
      left.set(group.name, count);
      if (count === 0) finish(group);
      fill();
    };
    const fill = (): void => {
      while (running < parallelism && first < ready.length) {
        const from = ready[first]!;
        const task = from.group.tasks[from.next++]!;
        if (from.next === from.group.tasks.length) first++;
        running++;
        run(task).then(() => ended(from.group), reject);
      }
      if (unfinished === 0) resolve();
    };

    for (const group of groups) {
      const after = new Set(group.after.filter((name) => known.has(name) && name !== group.name));
      waiting.set(group.name, after.size);
      for (const name of after) {
        const waiters = dependents.get(name);
        if (waiters === undefined) dependents.set(name, [group]);
        else waiters.push(group);
      }
    }
    // Beginning an empty group may make others ready: which ones are so from the start is settled before.
    for (const group of groups.filter(({ name }) => waiting.get(name) === 0)) begin(group);
    fill();
  });
}
