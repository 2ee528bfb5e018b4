/**
 * @module The circuit that interruption tests apply, and an independent look at what became of it.
 */
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";

const notes = ["one", "two", "three", "four"];

/** Everything that the circuit makes and that is not there without it. */
export const managedPaths = "/srv/interrupted";

/** The block with which a circuit reaches hosts of the lab. */
export function fleetBlocks(lab: Lab, hosts: readonly LabHost[]): string {
  const entries = hosts.map(
    ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }\n`,
  );
  return `  hosts = {
${entries.join("")}  }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.keyFile}"
    agent            = false
    become           = true
  }
`;
}

/** A directory, files before and after the one that the service reads, and the handler of that. */
export function interruptedCircuit(lab: Lab, hosts: readonly LabHost[], text: string): string {
  const note = (name: string) => `  step "${name}" {
    file {
      path    = "/srv/interrupted/${name}"
      content = "${text} on \${host.name}\\n"
    }
  }
`;
  return `circuit "web" {
${fleetBlocks(lab, hosts)}
  step "place" {
    directory {
      path = "/srv/interrupted"
    }
  }
${notes.slice(0, 2).map(note).join("")}
  step "config" {
    file {
      path    = "/etc/lab-web/config"
      content = "${text}\\n"
    }
    notify = [handler.restart]
  }
${notes.slice(2).map(note).join("")}
  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }
}
`;
}

export interface Seen {
  readonly config: string;
  /** What the service has read when it was started last. */
  readonly served: string;
  readonly notes: readonly string[];
  /** Another one at each start of the service. */
  readonly invocation: string;
}

export async function see(host: LabHost): Promise<Seen> {
  const cat = (path: string) => host.must(`cat ${path} 2>/dev/null || true`);
  const [config, served, invocation, ...found] = await Promise.all([
    cat("/etc/lab-web/config"),
    cat("/run/lab-web/served"),
    host.must("systemctl show -p InvocationID --value lab-web"),
    ...notes.map((name) => cat(`/srv/interrupted/${name}`)),
  ]);
  return { config, served, notes: found, invocation: invocation.trim() };
}

/** Names of files that are ours and of no use to the host. */
export const leftovers = (host: LabHost): Promise<string> =>
  host.must(
    "find / /tmp /run /dev/shm -xdev -name '*conn3x*' -newer /etc/hostname -not -path '/proc/*' -not -path '/srv/lab-apt/*' -not -path '/var/log/*' 2>/dev/null || true",
  );
