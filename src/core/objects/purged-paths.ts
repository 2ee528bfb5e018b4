/**
 * @module Reports where a directory that is purged would lose what another instance of the run puts there, and where one that
 * sets what is in it would change that. The compiler writes down what the circuits of one configuration put there (`managed`); modules and resources that are written out are only
 * known here, to the engine that has all instances.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { endpointText } from "../../login/index.ts";
import { groupBy } from "../../values/group-by.ts";
import { plainPath } from "../../values/host-path.ts";
import { at } from "../../values/path.ts";
import { type Holder, named, pointing } from "./holder.ts";
import { type Claim, hidesPath, knownSetting } from "./shared-paths.ts";

/** A directory that is searched, on one host. */
interface Purged {
  readonly claim: Claim;
  readonly by: "purge" | "recurse";
  readonly spares: (path: string) => boolean;
}

/** Whether an instance removes or sets what others put into its directory. */
export const searchesDirectory = ({ type, planned }: Holder): boolean =>
  type.schema.attributes.managed !== undefined &&
  (["purge", "recurse"] as const).some((name) => knownSetting(planned, name) === true);

/** One error for each directory, with the first thing that it would lose. */
export function purgeConflicts(claims: readonly Claim[]): readonly Diagnostic[] {
  const purged = claims.flatMap(purgedBy);
  if (purged.length === 0) return [];
  const byHost = groupBy(claims, ({ host }) => host);
  return purged.flatMap(({ claim, by, spares }) => {
    const here = byHost.get(claim.host) ?? [];
    const lost = here.find(
      ({ path, what }) => what !== "nothing" && isBelow(path, claim.path) && !spares(asSearched(path, claim)),
    );
    return lost === undefined ? [] : [wouldLose(claim, by, lost)];
  });
}

/** A path in the directory, as the search meets it: that begins with the directory as it is configured. */
const asSearched = (path: string, { path: real, written }: Claim): string =>
  `${written}${path.slice(real.length)}`;

function purgedBy(claim: Claim): readonly Purged[] {
  const { type, planned } = claim.holder;
  if (type.schema.attributes.managed === undefined) return [];
  const by = (["purge", "recurse"] as const).find((name) => knownSetting(planned, name) === true);
  if (by === undefined) return [];
  const [managed, keep] = ["managed", "keep"].map((name) => knownSetting(planned, name));
  // What is not known yet may name it.
  if (managed === undefined || keep === undefined) return [];
  return [{ claim, by, spares: sparing(claim.written, texts(managed), texts(keep)) }];
}

const texts = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Below what is kept, and above it: a directory goes only when it is empty. */
function sparing(directory: string, managed: readonly string[], keep: readonly string[]) {
  const places = managed.map(plainPath);
  const kept = keep.map((path) => plainPath(path.startsWith("/") ? path : `${directory}/${path}`));
  const patterns = kept.map(asPattern);
  return (path: string): boolean =>
    places.some((place) => place === path || isBelow(place, path)) ||
    patterns.some((pattern) => upwards(path, directory).some((one) => pattern.test(one))) ||
    kept.some((one) => isBelow(one, path));
}

/** The path and the directories that hold it, up to the purged one. */
function upwards(path: string, directory: string): readonly string[] {
  const above = path.slice(0, path.lastIndexOf("/"));
  return above.length <= directory.length ? [path] : [path, ...upwards(above, directory)];
}

/** As find(1)'s `-path` has it: `*` and `?` stand for slashes, too. */
const asPattern = (text: string): RegExp =>
  new RegExp(
    `^${text.replace(/\[[^\]]+\]|[\s\S]/g, (part) => {
      if (part === "*") return "[^]*";
      if (part === "?") return "[^]";
      if (part.length > 1) return part.replace(/^\[!/, "[^").replace(/\\/g, "\\\\");
      return part.replace(/[\\^$.|+()[\]{}/]/, "\\$&");
    })}$`,
  );

const isBelow = (path: string, directory: string): boolean => path.startsWith(`${directory}/`);

function wouldLose(directory: Claim, by: Purged["by"], lost: Claim): Diagnostic {
  const isSecret = [directory, lost].some(hidesPath);
  const [from, what, name] = isSecret
    ? ["its directory", "something", "it"]
    : [directory.written, lost.written, `"${lost.path.slice(directory.path.length + 1)}"`];
  const [summary, does] =
    by === "purge"
      ? [
          "Purging would remove what another instance manages",
          `removes from ${from} what no step put there, and would remove ${what}`,
        ]
      : [
          "Recursion would change what another instance manages",
          `sets owner, group or mode of what is in ${from}, and would set those of ${what}`,
        ];
  return errorDiagnostic(
    summary,
    `On ${endpointText(directory.endpoint)}, ${named(directory.holder)} ${does}, which ${named(lost.holder)} puts there: a circuit does not know what modules and resource blocks put on its hosts. Name ${name} in keep.`,
    { ...pointing(directory.holder), attribute: at(by) },
  );
}
