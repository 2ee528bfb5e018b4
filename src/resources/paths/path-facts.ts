/**
 * @module What is at a path on a host: one question about many paths, answered by one process per tool and hundred
 * paths, and its reading.
 *
 * Existence and kind come from the shell's own `test`, so that a missing, unreadable or blocking object (a FIFO
 * stops `sha256sum`) disturbs no other. Ownership comes from one `stat`, hashes from one `sha256sum`. Where the directories
 * above a path are such that others can change what is there, and for links that are followed, each is looked at by
 * itself: see `path-survey.ts`.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { saySlow } from "../../script/slowly.ts";
import { oneUp } from "../../script/upwards.ts";
import { walk } from "../../script/walk/go.ts";
import { held } from "../../script/walk/held.ts";
import { plainPath } from "../../values/host-path.ts";
import { AnswerError, type Found, foundAs, type RealNames } from "../kind.ts";
import { pathsAtOnce } from "./at-once.ts";
import { lookAtOne, survey } from "./path-survey.ts";
import { type PathSubject, pathOf } from "./subject.ts";

export interface PathFacts {
  readonly kind: "file" | "directory" | "other";
  /** Whether the path itself is a symbolic link; everything else here is about what it leads to. */
  readonly link: boolean;
  /** Permission bits, set-id and sticky bits included. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes. */
  readonly size: number;
  /** Names that the object has: hard links, of a file. */
  readonly names: number;
  /** `UNKNOWN` when the number has no name. */
  readonly owner: string;
  readonly group: string;
  /** Lower-case hexadecimal; only where hashes were asked for, and only of a readable regular file. */
  readonly sha256?: string;
  /** Whether others than root and the acting user can change what is at the path, or a directory above it. */
  readonly shared?: true;
  /** Whether the content must not leave the host: somebody may have moved the file of another there. */
  readonly hidden?: true;
}

/** Why the content of a {@link PathFacts.hidden} file is not known. */
export const notReadOn =
  "is not read: others can write to its directory, its owner is another, and not everybody may read it";

/** A link that is not followed, or that leads nowhere or round in a circle: neither absent nor there. */
export interface DanglingLink {
  readonly kind: "dangling";
  readonly link: true;
  /** Whether it was followed, and led nowhere. */
  readonly followed?: true;
}

/** @param hash whether regular files are hashed too */
export function askPaths(subjects: readonly PathSubject[], hash: boolean): Script {
  return lines([
    walk,
    held,
    functions,
    lookAtOne,
    survey(subjects.map(pathOf)),
    ...groupsOf(subjects).map((group) => {
      const paths = group.map(([path]) => plainPath(path));
      const settings = script`c3x_follow=${group[0]![1] ? "y" : "n"} c3x_hashes=${hash ? "y" : "n"}`;
      const describe = script`${raw(settings.text)}; c3x_kinds ${paths}; c3x_stat_all ${paths}`;
      return hash ? script`${describe}; c3x_hash ${paths}` : describe;
    }),
  ]);
}

/**
 * A path with a line end is alone in its group: tools disagree on how to print its name beside a hash. Paths whose links are
 * followed are not with the others.
 */
function groupsOf(subjects: readonly PathSubject[]): readonly (readonly PathSubject[])[] {
  const groups: PathSubject[][] = [];
  let open: PathSubject[] | undefined;
  for (const subject of subjects) {
    const [path, follow] = subject;
    if (path.includes("\n")) {
      groups.push([subject]);
      open = undefined;
    } else if (open === undefined || open.length === pathsAtOnce || open[0]![1] !== follow) {
      open = [subject];
      groups.push(open);
    } else open.push(subject);
  }
  return groups;
}

/** Digits of a size that makes hashing slow: 10 MB, since there may be a hundred of them. */
const digits = 8;

/**
 * `c3x_kinds` prints one word per path. A path counts as absent only below a directory that can be searched: `test -e`
 * says no for what may not be seen, too. `c3x_stat_all` and `c3x_hash` print for the paths that are there, in order, but for
 * those about which `c3x_kinds` has said everything. GNU and busybox `stat` take `-c`, BSD's (a macOS controller's demo host)
 * `-f`. Formats put names on lines of their own, since they may hold spaces.
 */
const functions = raw(`
c3x_kinds() {
  for p do
    if c3x_is_special "$p"; then c3x_look_at "$p"
    elif [ -L "$p" ]; then echo x
    elif [ -d "$p" ]; then echo d
    elif [ -f "$p" ]; then if [ -r "$p" ]; then echo f; else echo n; fi
    elif [ -e "$p" ]; then echo o
    else
      q=$p
      while ${oneUp("q")}; [ -n "$q" ] && ! [ -e "$q" ]; do :; done
      if [ -n "$q" ] && [ -d "$q" ] && ! [ -x "$q" ]; then echo u; else echo a; fi
    fi
  done
}
c3x_stat_all() {
  for p do
    shift
    if ! c3x_is_special "$p" && ! [ -L "$p" ] && [ -e "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  c3x_stats=$(c3x_stat "$c3x_described" "$@")
  [ -z "$c3x_stats" ] || printf '%s\\n' "$c3x_stats"
}
c3x_hash() {
  for p do
    shift
    if ! c3x_is_special "$p" && ! [ -L "$p" ] && [ -f "$p" ] && [ -r "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  case $c3x_stats in *' '[1-9]${"[0-9]".repeat(digits - 1)}*) ${saySlow.text} ;; esac
  if command -v sha256sum >/dev/null; then
    if [ $# -eq 1 ]; then sha256sum <"$1"; else sha256sum -- "$@"; fi
  elif command -v shasum >/dev/null; then shasum -a 256 -- "$@"
  elif command -v openssl >/dev/null; then for p do openssl dgst -sha256 -r <"$p"; done
  else echo 'this host has none of sha256sum, shasum and openssl to compare files with' >&2; fi | while read -r h rest; do
    case $h in
      \\\\*) echo "\${h#?}" ;;
      *) echo "$h" ;;
    esac
  done
}`);

/**
 * @param stdout what {@link askPaths} printed for the same paths and the same `hash`
 * @returns one for each path, in their order
 * @throws AnswerError when it printed something else: an object came or went meanwhile, or a tool is missing
 */
export function parsePaths(
  stdout: Buffer,
  subjects: readonly PathSubject[],
  hash: boolean,
): readonly Found<PathFacts | DanglingLink>[] {
  const { found, rest } = takePaths(stdout, subjects, hash);
  if (rest.length > 0) throw new AnswerError("the answer about paths has lines left over");
  return found;
}

/** An answer that goes on with something else. */
export interface PathAnswers {
  readonly found: readonly Found<PathFacts | DanglingLink>[];
  /** The answers about paths that were looked at one by one. */
  readonly apart: ReadonlySet<Found<unknown>>;
  readonly rest: Buffer;
}

/** Like {@link parsePaths}, for an answer that goes on with something else. */
export function takePaths(stdout: Buffer, subjects: readonly PathSubject[], hash: boolean): PathAnswers {
  let position = 0;
  const next = () => {
    const end = stdout.indexOf("\n", position);
    if (end < 0) throw new AnswerError("the answer about paths ends too early");
    const line = stdout.toString("utf8", position, end);
    position = end + 1;
    return line;
  };
  const apart = new Set<Found<unknown>>();
  const found = groupsOf(subjects).flatMap((group) => {
    const kinds = group.map(([path]) => parseKind(next(), next, hash, path));
    const stats = kinds.map((kind) => (hasStat(kind) ? parseStat(kind, next(), next(), next()) : undefined));
    const hashes = kinds.map((kind) => (hash && kind === "f" ? parseHash(next()) : undefined));
    return kinds.map((kind, i) => {
      if (typeof kind === "string") return foundOf(kind, stats[i], hashes[i]);
      apart.add(kind);
      return kind;
    });
  });
  return { found, apart, rest: stdout.subarray(position) };
}

const hasStat = (kind: unknown): kind is string => typeof kind === "string" && /^[dfno]$/.test(kind);

/** A word, or all about a path that was looked at by itself. */
function parseKind(
  word: string,
  next: () => string,
  hash: boolean,
  path: string,
): string | Found<PathFacts | DanglingLink> {
  if (word.startsWith("@")) {
    const found = parseKind(next(), next, hash, path);
    return foundAs(
      typeof found === "string" ? foundOf(found, undefined, undefined) : found,
      realPath(path, word.slice(1)),
    );
  }
  if (!word.startsWith("!")) return word;
  if (word === "!u") return { state: "unreadable", why: next() };
  if (word === "!x") return { state: "present", facts: { kind: "dangling", link: true, followed: true } };
  const parts = /^!(?<kind>[dfno])(?<link>l?)(?<shared>s?)(?<hidden>h?)$/.exec(word)?.groups;
  if (parts === undefined) return word.slice(1);
  const kind = parts.kind!;
  const facts: PathFacts = {
    ...parseStat(kind, next(), next(), next()),
    link: parts.link !== "",
    ...(parts.shared === "" ? {} : { shared: true }),
    ...(parts.hidden === "" ? {} : { hidden: true }),
  };
  return foundOf(kind, facts, hash && kind === "f" ? parseHash(next()) : undefined);
}

/** Undefined where the other path is but another spelling. */
export const realPath = (path: string, real: string): RealNames | undefined =>
  plainPath(real) === plainPath(path) ? undefined : { [path]: plainPath(real) };

function foundOf(
  kind: string,
  facts: PathFacts | undefined,
  sha256: string | undefined,
): Found<PathFacts | DanglingLink> {
  if (kind === "a") return { state: "absent" };
  if (kind === "x") return { state: "present", facts: { kind: "dangling", link: true } };
  if (kind === "u") return { state: "unreadable", why: "is below a directory that the user may not search" };
  if (facts === undefined) throw new AnswerError(`the answer about paths has an unknown kind "${kind}"`);
  return { state: "present", facts: sha256 === undefined ? facts : { ...facts, sha256 } };
}

function parseStat(kind: string, numbers: string, owner: string, group: string): PathFacts {
  const fields = /^([0-7]+) (\d+) (\d+) (\d+) (\d+)$/.exec(numbers);
  if (fields === null || owner === "" || group === "") {
    throw new AnswerError(
      `the answer about paths has "${numbers}" where mode, owner, group, size and links belong`,
    );
  }
  return {
    kind: kind === "d" ? "directory" : kind === "o" ? "other" : "file",
    link: false,
    mode: Number.parseInt(fields[1]!, 8),
    uid: Number(fields[2]),
    gid: Number(fields[3]),
    size: Number(fields[4]),
    names: Number(fields[5]),
    owner,
    group,
  };
}

function parseHash(line: string): string {
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new AnswerError(`the answer about paths has "${line}" where a hash belongs`);
  return line;
}
