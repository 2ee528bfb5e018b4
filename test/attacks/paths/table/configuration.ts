/**
 * @module The objects of the cells as a configuration: resources that know nothing of each other, so that each is tried
 * whatever becomes of the others.
 */
import type { LabHost } from "../../../lab/host.ts";
import type { Lab } from "../../../lab/lab.ts";
import type { Cell } from "./attack.ts";

export const addressOf = ({ id, victim }: Cell): string => `conn3x_${victim.kind}.${id}`;

export const loginOf = ({ login }: Cell): string => (login === "root" ? "root" : "deploy");

export const configuration = (lab: Lab, host: LabHost, cells: readonly Cell[]): string => `provider "conn3x" {
  ssh {
    address          = "${host.address}"
    private_key_file = "${lab.keyFile}"
    host_key         = "${host.hostKey}"
    agent            = false
  }
}
${cells.map(resource).join("")}`;

const resource = (cell: Cell): string => `
resource "conn3x_${cell.victim.kind}" "${cell.id}" {
  path = "${cell.object}"
  ${cell.victim.settings.replaceAll("\n", "\n  ")}
  ssh {
    user   = "${loginOf(cell)}"
    become = ${cell.login === "sudo"}
  }
}
`;
