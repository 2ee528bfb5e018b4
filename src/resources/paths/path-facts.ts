/**
 * @module What is at a path on a host: one question about many paths, answered by one process per tool and hundred
 * paths, and its reading.
 *
 * Existence and kind are told by the shell's own `test`, so that a missing, unreadable or blocking object (a FIFO
 * stops `sha256sum`) disturbs no other. Ownership comes from one `stat`, hashes from one `sha256sum`.
 */

import { lines, raw, type Script, script } from "../../script/script.ts";
import { oneUp } from "../../script/upwards.ts";
import { AnswerError, type Found } from "../kind.ts";
import { pathsAtOnce } from "./at-once.ts";

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
}

/** A link that leads nowhere, or round in a circle: neither absent nor there. */
export interface DanglingLink {
  readonly kind: "dangling";
  readonly link: true;
}

/** @param hash whether regular files are hashed too */
export function askPaths(paths: readonly string[], hash: boolean): Script {
  return lines([
    functions,
    ...groupsOf(paths).map((group) => {
      const describe = script`c3x_kinds ${group}; c3x_stat ${group}`;
      return hash ? script`${describe}; c3x_hash ${group}` : describe;
    }),
  ]);
}

/** A path with a line end is alone in its group: tools disagree on how to print its name beside a hash. */
function groupsOf(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let open: string[] | undefined;
  for (const path of paths) {
    if (path.includes("\n")) {
      groups.push([path]);
      open = undefined;
    } else if (open === undefined || open.length === pathsAtOnce) {
      open = [path];
      groups.push(open);
    } else open.push(path);
  }
  return groups;
}

/**
 * `c3x_kinds` prints one word per path. A path counts as absent only below a directory that can be searched: `test -e`
 * says no for what may not be seen, too. `c3x_stat` and `c3x_hash` print for the paths that are there, in order.
 * GNU and busybox `stat` take `-c`, BSD's (a macOS controller's demo host) `-f`. Formats put names on lines of their
 * own, since they may hold spaces.
 */
const functions = raw(`
c3x_kinds() {
  for p do
    if [ -L "$p" ]; then l=l; else l=; fi
    if [ -d "$p" ]; then echo "\${l}d"
    elif [ -f "$p" ]; then if [ -r "$p" ]; then echo "\${l}f"; else echo "\${l}n"; fi
    elif [ -e "$p" ]; then echo "\${l}o"
    elif [ -n "$l" ]; then echo x
    else
      q=$p
      while ${oneUp("q")}; [ -n "$q" ] && ! [ -e "$q" ]; do :; done
      if [ -n "$q" ] && [ -d "$q" ] && ! [ -x "$q" ]; then echo u; else echo a; fi
    fi
  done
}
c3x_stat() {
  for p do
    shift
    if [ -e "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  if [ -d /proc/1 ]; then stat -L -c '%a %u %g %s %h
%U
%G' -- "$@"
  else stat -L -f '%Mp%Lp %u %g %z %l
%Su
%Sg' -- "$@"; fi
}
c3x_hash() {
  for p do
    shift
    if [ -f "$p" ] && [ -r "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  if command -v sha256sum >/dev/null; then
    if [ $# -eq 1 ]; then sha256sum <"$1"; else sha256sum -- "$@"; fi
  elif command -v shasum >/dev/null; then shasum -a 256 -- "$@"
  else for p do openssl dgst -sha256 -r <"$p"; done; fi | while read -r h rest; do
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
  paths: readonly string[],
  hash: boolean,
): readonly Found<PathFacts | DanglingLink>[] {
  const { found, rest } = takePaths(stdout, paths, hash);
  if (rest.length > 0) throw new AnswerError("the answer about paths has lines left over");
  return found;
}

/** As {@link parsePaths}, for an answer that goes on with something else. */
export function takePaths(
  stdout: Buffer,
  paths: readonly string[],
  hash: boolean,
): { readonly found: readonly Found<PathFacts | DanglingLink>[]; readonly rest: Buffer } {
  let position = 0;
  const next = () => {
    const end = stdout.indexOf("\n", position);
    if (end < 0) throw new AnswerError("the answer about paths ends too early");
    const line = stdout.toString("utf8", position, end);
    position = end + 1;
    return line;
  };
  const found = groupsOf(paths).flatMap((group) => {
    const kinds = group.map(next);
    const stats = kinds.map((kind) => (hasStat(kind) ? parseStat(kind, next(), next(), next()) : undefined));
    const hashes = kinds.map((kind) => (hash && kind.endsWith("f") ? parseHash(next()) : undefined));
    return kinds.map((kind, i) => foundOf(kind, stats[i], hashes[i]));
  });
  return { found, rest: stdout.subarray(position) };
}

const hasStat = (kind: string): boolean => /^l?[dfno]$/.test(kind);

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
    kind: kind.endsWith("d") ? "directory" : kind.endsWith("o") ? "other" : "file",
    link: kind.startsWith("l"),
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
