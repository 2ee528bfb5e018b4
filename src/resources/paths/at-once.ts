/**
 * @module How many paths one process gets as arguments.
 */

/** Arguments of one process stay far below the kernel's limit, and the shell's positional list short. */
export const pathsAtOnce = 100;

/** The same paths in the same order, none of the lists longer than that. */
export const slices = <T>(paths: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(paths.length / pathsAtOnce) }, (_, i) =>
    paths.slice(i * pathsAtOnce, (i + 1) * pathsAtOnce),
  );
