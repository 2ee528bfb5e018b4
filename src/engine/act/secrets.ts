/**
 * @module Whether output of hosts about an instance may have sensitive values.
 */
import type { MarkedPath } from "../../values/marks.ts";
import { at, within } from "../../values/path.ts";
import type { LoadedType } from "../evaluate/load.ts";

const login = at("ssh");

/**
 * Whether a part of an object is sensitive that its kind does not know to be: the schema's own secrets are masked by the
 * kind, and those of a login are never passed to a command.
 */
export const holdsSecrets = (
  { sensitive }: Pick<LoadedType, "sensitive">,
  marks: readonly MarkedPath[],
): boolean =>
  marks.some(
    ({ path }) => !within(path, login) && !sensitive.some((declared) => within(path, declared.path)),
  );
