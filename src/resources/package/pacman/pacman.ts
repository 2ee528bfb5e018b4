/**
 * @module Packages of Arch Linux: pacman(8), pacman.conf(5).
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import { absent, type Inventory, type PackageManager, type PackageState, type Patience } from "../manager.ts";
import { unlessYounger, withLock } from "../with-lock.ts";

const run = (patience: Patience, ...body: readonly Script[]): Script =>
  withLock(
    patience,
    { locked: raw("*'unable to lock database'*") },
    script`c3x_pacman() { c3x_try pacman --noconfirm --noprogressbar "$@"; }`,
    ...body,
  );

export const pacman: PackageManager = {
  name: "pacman",
  /** All that is installed: asked for by name, it would end with an error at the first that is not. */
  ask: () => script`echo installed
pacman -Q
echo "status $?"
sed -n 's/^[[:blank:]]*IgnorePkg[[:blank:]]*=/ignored/p' /etc/pacman.conf 2>/dev/null
echo end`,
  parse: parseInstalled,
  /** `-T` prints those names that nothing installed stands for. */
  askMore: (names, available) =>
    lines([
      script`echo missing`,
      script`pacman -T -- ${names}`,
      script`echo available`,
      ...(available ? [script`pacman -Si -- ${names} 2>/dev/null; echo told`] : []),
      script`echo end`,
    ]),
  parseMore,
  // A package is in its database when it has been unpacked: there is nothing to be brought to its end.
  repair: () => raw(":"),
  update: (age, patience) =>
    run(patience, unlessYounger(age, raw("/var/lib/pacman/sync/*.db")), script`c3x_pacman -Sy`),
  install: (wanted, patience) =>
    run(
      patience,
      script`c3x_pacman -S --needed -- ${wanted.map(({ name, version }) => (version === undefined ? name : `${name}=${version}`))}`,
    ),
  remove: (names, patience) => run(patience, script`c3x_pacman -R -- ${names}`),
  purge: (names, patience) => run(patience, script`c3x_pacman -Rn -- ${names}`),
  hold: () => cannotHold,
  unhold: () => cannotHold,
};

const cannotHold = raw(
  "echo 'pacman has no command that holds a package: write it into IgnorePkg of /etc/pacman.conf with a line step' >&2; exit 1",
);

function parseInstalled(answer: string, names: readonly string[]): Inventory {
  const parts = /^installed\n([\s\S]*?)^status 0\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("pacman did not tell of its packages");
  const versions = new Map(parts[1]!.split("\n").map((line) => line.split(" ") as [string, string]));
  const ignored = new Set(
    parts[2]!
      .split("\n")
      .filter((line) => line.startsWith("ignored"))
      .flatMap((line) => line.split(/\s+/).slice(1)),
  );
  return { interrupted: false, packages: new Map(names.map((name) => [name, stateOf(name)])) };

  function stateOf(name: string): PackageState {
    const version = versions.get(name);
    if (version === undefined) return absent;
    return { state: "installed", version, held: ignored.has(name), providers: [] };
  }
}

/** Fields of `-Si` are `Name            : nginx`, a paragraph for each package. */
function parseMore(answer: string, inventory: Inventory): Inventory {
  const parts = /^missing\n([\s\S]*?)^available\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("pacman did not tell which packages there are");
  const missing = new Set(parts[1]!.split("\n"));
  const known = new Map<string, string[]>();
  for (const paragraph of parts[2]!.split("\n\n")) {
    const field = (name: string) => new RegExp(`^${name} *: (\\S+)$`, "m").exec(paragraph)?.[1];
    const [name, version] = [field("Name"), field("Version")];
    if (name !== undefined && version !== undefined) known.set(name, [...(known.get(name) ?? []), version]);
  }
  const packages = [...inventory.packages].map(([name, state]): [string, PackageState] => {
    const isProvided = state.state === "absent" && !missing.has(name);
    const available = parts[2] === "" ? {} : { available: known.get(name) ?? [] };
    // Which package stands for the name is not told.
    return [name, { ...state, providers: isProvided ? ["another package"] : [], ...available }];
  });
  return { ...inventory, packages: new Map(packages) };
}
