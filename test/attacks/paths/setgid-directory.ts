import { type Attack, attacker } from "./table/attack.ts";

/** The directory hands its group on to what is made in it: the attacker's group could then read what is only root's. */
export const setgidDirectory: Attack = {
  name: "setgid_directory",
  against: ({ name }) => name.endsWith("_of_root"),
  strike: ({ directory }) => `chmod 2777 ${directory}`,
  won: ({ victim, object }) =>
    `runuser -u ${attacker} -- ${victim.holds === "directory" ? "ls" : "cat"} ${object} >/dev/null 2>&1 && echo "it can be read"`,
};
