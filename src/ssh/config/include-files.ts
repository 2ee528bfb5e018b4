/**
 * @module The files that an `Include` of ssh_config(5) names: patterns of glob(7), those that match nothing left out.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** @param pattern an absolute path in which `*`, `?` and `[…]` stand for characters of one name */
export async function includedFiles(pattern: string): Promise<readonly string[]> {
  let found = ["/"];
  for (const part of pattern.split("/").filter((name) => name !== "")) {
    found = (await Promise.all(found.map((directory) => matchesIn(directory, part)))).flat();
  }
  const isFile = await Promise.all(
    found.map((path) =>
      stat(path).then(
        (s) => !s.isDirectory(),
        () => false,
      ),
    ),
  );
  return found.filter((_, i) => isFile[i]);
}

async function matchesIn(directory: string, part: string): Promise<string[]> {
  if (!/[*?[]/.test(part)) return [join(directory, part)];
  const names = await readdir(directory).catch((): string[] => []);
  const pattern = globOfName(part);
  // Names that start with a dot are only meant where the dot is written.
  return names
    .filter((name) => pattern.test(name) && (part.startsWith(".") || !name.startsWith(".")))
    .sort()
    .map((name) => join(directory, name));
}

function globOfName(part: string): RegExp {
  const source = part.replace(/\[!?[^\]]+\]|[\s\S]/g, (token) => {
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1) return token.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
    return token.replace(/[.+^${}()|[\]\\]/, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}
