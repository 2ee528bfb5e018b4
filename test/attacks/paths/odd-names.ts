import type { Attack } from "./table/attack.ts";

/** Names that would be others if something split or expanded them: line ends, blanks, options, patterns, bytes that are no text. */
export const oddNames: Attack = {
  name: "odd_names",
  against: ({ kind }) => kind === "directory",
  strike: ({ object, prize }) => `mkdir -p ${object}; cd ${object} || exit
mkdir -p "x
${prize}/tree" "--" "-R" "*" 2>/dev/null
touch "x
${prize}/secret" "--reference=secret" "-rf" "\${prize}" "$(printf '\\377\\n')" "*/*" 2>/dev/null
ln -sfn ${prize}/tree "link
"; ln -sfn ${prize} "  "; ln -sfn ${prize}/secret "a:b"`,
};
