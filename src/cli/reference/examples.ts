/**
 * @module An example of every kind: the blocks of a circuit whose hosts and login are left out.
 */

/** By name of the kind; `_action` kinds by that of their resource. */
export const examples: Readonly<Record<string, string>> = {
  file: `step "config" {
  file {
    path    = "/etc/nginx/nginx.conf"
    content = "# \${host.name}\\n"
    owner   = "root"
    mode    = "0644"
  }
}`,
  directory: `step "site" {
  directory {
    path  = "/srv/site"
    owner = "www-data"
    mode  = "0755"
  }
}`,
  link: `step "current" {
  link {
    path   = "/srv/current"
    target = "releases/42"
  }
}`,
  line: `step "forwarding" {
  line {
    path   = "/etc/sysctl.conf"
    regexp = "^#?net\\\\.ipv4\\\\.ip_forward="
    line   = "net.ipv4.ip_forward=1"
  }
}`,
  package: `step "tools" {
  for_each = toset(["curl", "git"])
  package {
    name = each.key
  }
}`,
  service: `step "nginx" {
  service {
    name    = "nginx"
    running = true
    enabled = true
  }
}`,
  command: `step "database" {
  command {
    run     = "createdb app"
    user    = "postgres"
    creates = "/var/lib/postgresql/app.created"
  }
}`,
  wait_for: `step "listens" {
  wait_for {
    port    = 8080
    timeout = 60
  }
}`,
  reboot: `step "kernel" {
  package {
    name = "linux-image-amd64"
  }
}

step "boot" {
  reboot {
    only_if_required = true
    triggers         = { kernel = step.kernel.revision }
  }
}`,
  service_action: `step "config" {
  file {
    path    = "/etc/nginx/nginx.conf"
    content = "# \${host.name}\\n"
  }
  notify = [handler.reload]
}

handler "reload" {
  service {
    name   = "nginx"
    action = "reload"
  }
}`,
  command_action: `step "aliases" {
  file {
    path    = "/etc/aliases"
    content = "root: admin@example.org\\n"
  }
  notify = [handler.rebuild]
}

handler "rebuild" {
  command {
    run = "newaliases"
  }
}`,
};
