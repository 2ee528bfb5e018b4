/**
 * @module The example configuration of `conn3x init -example`. It is valid and formatted.
 */
export const exampleText = `# Hosts, their login, and what should be on them.
circuit "web" {
  hosts = {
    web1 = "192.0.2.10"
    # web2 = { address = "192.0.2.11", port = 2222, vars = { role = "canary" } }
  }

  ssh {
    user   = "deploy"
    become = true # with sudo, without a password
  }

  # Steps run in this order, on all hosts in parallel.
  step "site" {
    directory {
      path = "/srv/site"
    }
  }

  step "page" {
    file {
      path    = "/srv/site/index.html"
      content = "<h1>\${host.name}</h1>\\n"
      mode    = "0644"
    }
    notify = [handler.reload]
  }

  # Runs on the hosts where a step that notifies it changed something.
  handler "reload" {
    service {
      name   = "nginx"
      action = "reload"
    }
  }
}
`;
