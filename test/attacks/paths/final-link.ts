import type { Attack } from "./table/attack.ts";

/** A link to what is root's, in the place of the object. */
export const finalLink: Attack = {
  name: "final_link",
  against: () => true,
  strike: ({ victim, object, prize }) => {
    const target = victim.holds === "file" ? `${prize}/secret` : `${prize}/tree`;
    return `rm -rf ${object}; ln -s ${target} ${object}`;
  },
};
