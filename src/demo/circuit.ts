/**
 * @module The configuration that the demo works with: what a first circuit of one's own could look like.
 */

/** How the demo's host is reached, and where on it things are put. */
export interface CircuitHost {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly hostKey: string;
  /** Directory under which everything of the host lies. */
  readonly root: string;
}

/** Names of the files that make the demo's working directory. */
export const files = { circuit: "web.circuit.hcl", template: "web.conf.tftpl", key: "id_demo" } as const;

/** Where the circuit puts the service's configuration. */
export const configPath = (host: CircuitHost): string => `${host.root}/etc/web.conf`;

export const circuitText = (host: CircuitHost): string => `locals {
  root = "${host.root}"
}

circuit "web" {
  hosts = {
    demo = {
      address  = "${host.address}"
      port     = ${host.port}
      host_key = "${host.hostKey}"
    }
  }

  ssh {
    user             = "${host.user}"
    private_key_file = "${files.key}"
    agent            = false
    ssh_config_file  = "none"
  }

  step "site" {
    directory {
      path = "\${local.root}/srv/site"
    }
  }

  step "config" {
    file {
      path    = "\${local.root}/etc/web.conf"
      content = templatefile("\${path.module}/${files.template}", { host = host.name, workers = 4 })
      mode    = "0644"
    }
    notify = [handler.restart]
  }

  handler "restart" {
    service {
      name   = "web"
      action = "restart"
    }
  }
}
`;

export const templateText = `# Configuration of the service "web" on \${host}
listen  = 8080
workers = \${workers}
root    = srv/site
`;
