/**
 * @module The example configuration of `conn3x init -example`. It is valid and formatted.
 */
export const exampleText = `# The hosts that this configures, and how to log in to them.
circuit "web" {
  hosts = {
    web1 = "192.0.2.10"
    # web2 = { address = "192.0.2.11", port = 2222, vars = { role = "canary" } }
  }

  ssh {
    user   = "deploy"
    become = true # with sudo, without a password
  }

  # Steps are done in this order, on all hosts side by side.
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

  # Runs on the hosts on which a step that notifies it has changed something.
  handler "reload" {
    service {
      name   = "nginx"
      action = "reload"
    }
  }
}
`;
