import type { Attack } from "./table/attack.ts";

/**
 * Another name of a file of root's in the place of the object, or in the directory that it is. Anybody can make one where
 * `fs.protected_hardlinks` is off; here root does, so that the kernel of the tests does not matter.
 */
export const hardLink: Attack = {
  name: "hard_link",
  against: () => true,
  arranged: ({ victim, object, prize }) =>
    victim.holds === "directory"
      ? `mkdir -p ${object}; ln -f ${prize}/secret ${object}/inner; chown plain ${object}`
      : `rm -rf ${object}; ln ${prize}/secret ${object}`,
  strike: () => ":",
};
