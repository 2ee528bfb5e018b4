/**
 * @module The reference of step kinds and commands, made from the definitions that the program itself uses.
 */
import { sshBlock } from "../../login/index.ts";
import { kinds } from "../../resources/index.ts";
import type { Kind } from "../../resources/kind.ts";
import { driftBlock } from "../../resources/settings.ts";
import { commandSet } from "../commands.ts";
import { commandPage, commandPath } from "./command-page.ts";
import { isFacts, kindPage, kindPath, kindTitle } from "./kind-page.ts";
import { code, page, table } from "./markdown.ts";
import { blockSections, settingsTable } from "./settings.ts";

/** Says at the head of each page where it comes from. */
const notice = "<!-- Written by `npm run docs` from the program's own definitions: edit those. -->\n";

/** Texts by their paths in `docs/reference`. */
export function referencePages(): ReadonlyMap<string, string> {
  const all = [...kinds.values()];
  const { commands, globals } = commandSet;
  const pages: [string, string][] = [
    ["README.md", indexPage(all)],
    [
      "ssh.md",
      page("# The `ssh` block", sshBlock.describe, settingsTable(sshBlock), ...blockSections(sshBlock)),
    ],
    ["drift.md", page("# The `drift` block", driftBlock.describe, settingsTable(driftBlock))],
    ...all.map((kind): [string, string] => [kindPath(kind), kindPage(kind)]),
    ...commands.map((command): [string, string] => [commandPath(command), commandPage(command, globals)]),
  ];
  return new Map(pages.map(([path, text]) => [path, notice + text]));
}

function indexPage(all: readonly Kind[]): string {
  const firstSentence = (text: string): string =>
    /^.*?[.:](?= |$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
  return page(
    "# Reference",
    "## Steps and handlers",
    table(
      ["kind", "what it is"],
      all
        .filter((kind) => !isFacts(kind))
        .map((kind) => [`[${kindTitle(kind)}](${kindPath(kind)})`, firstSentence(kind.schema.describe)]),
    ),
    "Every step can have a [`drift`](drift.md) block and an [`ssh`](ssh.md) block; the circuit's `ssh` block has the same settings. [The circuit language](../language.md) describes everything around them.",
    "[`host.facts`](facts.md) are what is found on a host: no step is needed for them.",
    "## Commands",
    table(
      ["command", "what it does"],
      commandSet.commands.map((command) => [
        `[${code(command.name)}](${commandPath(command)})`,
        `${command.summary}.`,
      ]),
    ),
    "Exit codes: 0 done, 1 error, 2 changes (`plan -detailed-exitcode`, `drift`), 3 none in what was read, and a host could not be read (the same two), or not formatted (`fmt -check`). `apply`, `destroy` and `refresh` exit with 1 where a host could not be read. Options are written with one dash or two.",
  );
}
