import type { Attack } from "./table/attack.ts";

/** A link to where nothing is yet, in a directory of root's: whoever writes through it makes something there. */
export const danglingLink: Attack = {
  name: "dangling_link",
  against: () => true,
  strike: ({ object, prize }) => `rm -rf ${object}; ln -s ${prize}/tree/new ${object}`,
};
