/**
 * What an unprivileged user of a host can win by what they put into their own directories: every kind that has a path, each
 * attack on it, each command. Nothing may be won: no file of root's is changed, made, owned or removed, and nothing of what
 * is in one leaves the host.
 */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundledProgram } from "../../e2e/bundled.ts";
import { describeLab, labHosts } from "../../lab/for-tests.ts";
import { bindMount } from "./bind-mount.ts";
import { danglingLink } from "./dangling-link.ts";
import { finalLink } from "./final-link.ts";
import { foretoldName } from "./foretold-name.ts";
import { hardLink } from "./hard-link.ts";
import { movedObject, renamedDirectory } from "./moved-object.ts";
import { oddNames } from "./odd-names.ts";
import { grandparentLink, parentLink, parentLinkToNothing } from "./parent-link.ts";
import { setgidDirectory } from "./setgid-directory.ts";
import { squattedName } from "./squatted-name.ts";
import { stickyDirectory } from "./sticky-directory.ts";
import type { Cell } from "./table/attack.ts";
import { addressOf, configuration, loginOf } from "./table/configuration.ts";
import {
  cellsOf,
  look,
  prepare,
  renew,
  strike,
  type Witness,
  wonFromText,
  wonOnHost,
} from "./table/stage.ts";
import { victims } from "./table/victims.ts";

const attacks = [
  finalLink,
  danglingLink,
  parentLink,
  parentLinkToNothing,
  grandparentLink,
  hardLink,
  foretoldName,
  setgidDirectory,
  stickyDirectory,
  bindMount,
  oddNames,
  movedObject,
  renamedDirectory,
  squattedName,
];
const cells = cellsOf(attacks, victims, ["root", "sudo"]);
const importable = cells.filter(
  ({ victim, attack }) =>
    victim.imports &&
    [finalLink, parentLink, grandparentLink, hardLink, movedObject, renamedDirectory].includes(attack),
);

const program = bundledProgram();

describeLab("attacks of a host's user", () => {
  const lab = labHosts(1);
  const directories: string[] = [];
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  const newDirectory = () => {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-attacks-"));
    directories.push(directory);
    writeFileSync(join(directory, "main.tf"), configuration(lab.lab, lab.hosts[0], cells));
    return directory;
  };
  const stateIn = (directory: string, name = "terraform.tfstate") => {
    const file = join(directory, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  /** With `CONN3X_ATTACKS_REPORT=FILE` each success is a line there: command, attack, object, login. */
  const list = (command: string, ...won: readonly ReadonlyMap<Cell, string>[]) => {
    const all = new Map(won.flatMap((one) => [...one]));
    const report = process.env.CONN3X_ATTACKS_REPORT;
    if (report !== undefined)
      for (const { attack, victim, login } of all.keys())
        appendFileSync(report, `${[command, attack.name, victim.name, login].join("\t")}\n`);
    return [...all].map(([{ id }, what]) => `${id}: ${what}`);
  };

  /** Runs a command while the attacks are in place, and says what they won by it. */
  const attacked = async (directory: string, name: string, ...args: readonly string[]) => {
    const [host] = lab.hosts;
    await renew(host, cells);
    await strike(host, cells);
    const before: Witness = await look(host);
    const { output, status } = await program.run(directory, args);
    expect(status, output).toBeLessThan(3);
    return list(name, await wonOnHost(host, cells, before), wonFromText(cells, output, stateIn(directory)));
  };

  test(`${cells.length} objects that are attacked before they are made`, { timeout: 600_000 }, async () => {
    await prepare(lab.hosts[0], cells);
    const directory = newDirectory();
    const planned = await attacked(directory, "first plan", "plan");
    expect([...planned, ...(await attacked(directory, "first apply", "apply", "-auto-approve"))]).toEqual([]);
  });

  test(`${cells.length} objects that are attacked once they are there`, { timeout: 600_000 }, async () => {
    const [host] = lab.hosts;
    await prepare(host, cells);
    const directory = newDirectory();
    const made = await program.run(directory, ["apply", "-auto-approve"]);
    expect(made.output).toContain(`Apply complete! ${cells.length} created`);
    const won: Record<string, readonly string[]> = {};
    for (const command of [
      ["plan"],
      ["drift"],
      ["refresh"],
      ["apply", "-auto-approve"],
      ["destroy", "-auto-approve"],
    ])
      won[command[0]!] = await attacked(directory, command[0]!, ...command);
    expect(won).toEqual({ plan: [], drift: [], refresh: [], apply: [], destroy: [] });
  });

  test(`${importable.length} imports of what is attacked`, { timeout: 600_000 }, async () => {
    const [host] = lab.hosts;
    await prepare(host, cells);
    await renew(host, cells);
    await strike(host, cells);
    const before = await look(host);
    const directory = newDirectory();
    const won: string[] = [];
    for (const cell of importable) {
      const id = `ssh://${loginOf(cell)}@${host.address}${cell.object}`;
      const { output } = await program.run(directory, [
        "import",
        `-state=${cell.id}.tfstate`,
        addressOf(cell),
        id,
      ]);
      won.push(...list("import", wonFromText([cell], output, stateIn(directory, `${cell.id}.tfstate`))));
    }
    won.push(...list("import", await wonOnHost(host, cells, before)));
    expect(won).toEqual([]);
  });
});
