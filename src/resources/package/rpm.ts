/**
 * @module What RPM reports of installed packages, for every manager on top of it: rpm(8), "Query options" and
 * "--queryformat".
 */
import { type Script, script } from "../../script/script.ts";
import { AnswerError } from "../kind.ts";
import { absent, type Inventory, type PackageState, plainName } from "./manager.ts";

/** As RPM writes a name with an architecture: `glibc.i686` for `glibc:i686`. */
export const rpmName = (name: string): string => name.replace(":", ".");

/** One process; a name that is not installed is reported in words, without a tab. */
export const askRpm = (names: readonly string[]): Script => script`echo rpm
rpm -q --qf '%{NAME}\t%{ARCH}\t%{EPOCHNUM}\t%{VERSION}-%{RELEASE}\n' -- ${names.map(rpmName)} 2>/dev/null
echo end`;

/**
 * @param answer what {@link askRpm} printed
 * @param marks how a package of that name is marked
 * @throws AnswerError
 */
export function parseRpm(
  answer: string,
  names: readonly string[],
  marks: (name: string) => Pick<PackageState, "held" | "automatic">,
): ReadonlyMap<string, PackageState> {
  const reported = /^rpm\n([\s\S]*?)^end$/m.exec(answer)?.[1];
  if (reported === undefined) throw new AnswerError("rpm did not tell of its packages");
  const rows = reported
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
      const isItself = architecture !== undefined && rows.findLast((one) => one[0] === name) === row;
      return [
        asked,
        {
          state: "installed",
          version: full,
          ...marks(name!),
          providers: [],
          ...(isItself ? { realName: name! } : {}),
        },
      ];
    }),
  );
}

/** Installed packages that provide the names: `PACKAGE<tab>WHAT` for everything that each of them provides. */
export const askProviders = (names: readonly string[]): Script => script`echo providers
rpm -q --whatprovides --qf '[%{=NAME}\t%{PROVIDENAME}\n]' -- ${names} 2>/dev/null`;

/** A version that could be installed. */
export interface Offer {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
}

/**
 * @param answer what {@link askProviders} printed, then `available` with what the manager lists, if it was asked, and `end`
 * @param offersOf reads that list
 * @throws AnswerError
 */
export function parseOffers(
  answer: string,
  inventory: Inventory,
  offersOf: (listed: string) => readonly Offer[],
): Inventory {
  const parts = /^providers\n([\s\S]*?)^(?:reasons\n[\s\S]*?^)?available\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("the host did not tell which packages there are");
  const [, providers, listed] = parts;
  const offers = offersOf(listed!);
  const packages = [...inventory.packages].map(([asked, state]): [string, PackageState] => {
    const [name, architecture] = asked.split(":");
    const standIns = state.state === "installed" ? [] : providersOf(providers!, plainName(asked));
    const versions = offers
      .filter((offer) => offer.name === name && [offer.architecture, undefined].includes(architecture))
      .map(({ version }) => version);
    const available = listed === "" ? {} : { available: [...new Set(versions)] };
    return [asked, { ...state, providers: standIns, ...available }];
  });
  return { ...inventory, packages: new Map(packages) };
}

/** @param text what {@link askProviders} printed after its first line */
function providersOf(text: string, name: string): readonly string[] {
  const rows = text.split("\n").map((line) => line.split("\t"));
  return [...new Set(rows.filter(([, what]) => what === name).map(([provider]) => provider!))];
}
