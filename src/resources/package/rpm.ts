/**
 * @module What RPM tells of installed packages, for every manager on top of it: rpm(8), "Query options" and
 * "--queryformat".
 */
import { type Script, script } from "../../script/script.ts";
import { AnswerError } from "../kind.ts";
import type { PackageState } from "./manager.ts";

/** As RPM writes a name with an architecture: `glibc.i686` for `glibc:i686`. */
export const rpmName = (name: string): string => name.replace(":", ".");

/** One process; a name that is not installed is told in words, without a tab. */
export const askRpm = (names: readonly string[]): Script => script`echo rpm
rpm -q --qf '%{NAME}\t%{ARCH}\t%{EPOCHNUM}\t%{VERSION}-%{RELEASE}\n' -- ${names.map(rpmName)} 2>/dev/null
echo end`;

/**
 * @param answer what {@link askRpm} printed
 * @param isHeld whether a package of that name may not be changed
 * @throws AnswerError
 */
export function parseRpm(
  answer: string,
  names: readonly string[],
  isHeld: (name: string) => boolean,
): ReadonlyMap<string, PackageState> {
  const told = /^rpm\n([\s\S]*?)^end$/m.exec(answer)?.[1];
  if (told === undefined) throw new AnswerError("rpm did not tell of its packages");
  const rows = told
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((row) => row.length === 4);
  return new Map(
    names.map((asked) => {
      const [name, architecture] = asked.split(":");
      // Of several versions (kernels) the last is the newest.
      const row = rows.findLast((one) => one[0] === name && [one[1], undefined].includes(architecture));
      if (row === undefined) return [asked, absent];
      const [, , epoch, version] = row;
      const full = epoch === "0" ? version! : `${epoch}:${version}`;
      return [asked, { state: "installed", version: full, held: isHeld(name!), providers: [] }];
    }),
  );
}

const absent: PackageState = { state: "absent", version: null, held: false, providers: [] };

/** Installed packages that provide the names: `PACKAGE<tab>WHAT` for everything that each of them provides. */
export const askProviders = (names: readonly string[]): Script => script`echo providers
rpm -q --whatprovides --qf '[%{=NAME}\t%{PROVIDENAME}\n]' -- ${names} 2>/dev/null`;

/** @param text what {@link askProviders} printed after its first line */
export function providersOf(text: string, name: string): readonly string[] {
  const rows = text.split("\n").map((line) => line.split("\t"));
  return [...new Set(rows.filter(([, what]) => what === name).map(([provider]) => provider!))];
}
