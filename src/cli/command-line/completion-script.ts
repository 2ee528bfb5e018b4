/**
 * @module Scripts that complete commands and options in a shell.
 * Source: bash(1) "Programmable Completion", zshcompsys(1), fish-completions(1).
 */
import type { Command } from "../command.ts";
import type { CommandSet } from "./command-line.ts";
import { shownOptions } from "./option.ts";

const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word);

export function completionScript(shell: Shell, set: CommandSet): string {
  switch (shell) {
    case "bash":
      return bash(set);
    case "zsh":
      return `#compdef conn3x\nautoload -U +X bashcompinit && bashcompinit\n${bash(set)}`;
    case "fish":
      return fish(set);
  }
}

const firstWords = ({ commands }: CommandSet): readonly string[] => [
  ...new Set([...commands.map(({ name }) => name.split(" ")[0]!), "help"]),
];

/** `-json`, `-state=`: an option with a value goes on after its equals sign. */
const optionWords = (command: Command, { globals }: CommandSet): readonly string[] =>
  shownOptions([...command.options, ...globals]).map(
    ({ name, kind }) => `-${name}${kind === "flag" ? "" : "="}`,
  );

function bash(set: CommandSet): string {
  const cases = set.commands.map(
    (command) => `    "${command.name}") words="${optionWords(command, set).join(" ")}" ;;\n`,
  );
  const groups = set.groups.map(({ name }) => {
    const inner = set.commands.flatMap((one) =>
      one.name.startsWith(`${name} `) ? [one.name.split(" ")[1]!] : [],
    );
    return `    "${name}") words="${inner.join(" ")}" ;;\n`;
  });
  return `_conn3x() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*|=) ;;
      *) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
    "") words="${firstWords(set).join(" ")} -chdir=" ;;
${groups.join("")}${cases.join("")}    help) words="${firstWords(set).join(" ")}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then
    COMPREPLY=($(compgen -f -- "\${current#*=}"))
  elif [ "\${COMPREPLY[0]: -1}" = "=" ]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _conn3x conn3x
`;
}

function fish(set: CommandSet): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = ["complete -c conn3x -n __fish_use_subcommand -f"];
  for (const word of firstWords(set)) {
    const summary =
      set.commands.find(({ name }) => name === word)?.summary ??
      set.groups.find(({ name }) => name === word)?.summary ??
      "Show what a command does and takes";
    lines.push(`complete -c conn3x -n __fish_use_subcommand -a ${word} -d ${quoted(summary)}`);
  }
  for (const command of set.commands) {
    const [first, second] = command.name.split(" ");
    if (second !== undefined) {
      lines.push(
        `complete -c conn3x -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(command.summary)}`,
      );
    }
    const condition = `'__fish_seen_subcommand_from ${second ?? first}'`;
    for (const { name, kind, describe } of shownOptions([...command.options, ...set.globals])) {
      const value = kind === "flag" ? "" : " -r";
      lines.push(`complete -c conn3x -n ${condition} -o ${name}${value} -d ${quoted(describe)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
