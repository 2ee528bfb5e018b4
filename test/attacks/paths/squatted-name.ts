import { type Attack, attacker } from "./table/attack.ts";

/** In a directory that anybody may write to, a file of the attacker's is there before the object: it would keep its owner. */
export const squattedName: Attack = {
  name: "squatted_name",
  below: "/tmp",
  against: ({ name }) => name.startsWith("file_secret"),
  arranged: ({ directory }) => `mkdir -p ${directory}; chown root:root ${directory}; chmod 1777 ${directory}`,
  strike: ({ object }) => `umask 0; [ -e ${object} ] || echo mine >${object}`,
  won: ({ object }) => `runuser -u ${attacker} -- grep -s 'only for root' ${object} | sed 's/^/reads /'`,
};
