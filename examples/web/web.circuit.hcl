# A web server's configuration on a few hosts. nginx itself must be installed and running there.

variable "hosts" {
  description = "Hosts by name: an address, or an object with an address and further settings."
  type        = any
  default = {
    web1 = "10.0.1.5"
    web2 = { address = "10.0.1.6", port = 2222, vars = { role = "canary" } }
  }
}

variable "user" {
  description = "User to log in as. It needs sudo without a password."
  type        = string
  default     = "deploy"
}

variable "workers" {
  description = "Processes that nginx starts."
  type        = number
  default     = 4
}

circuit "web" {
  hosts = var.hosts

  ssh {
    user   = var.user
    become = true
  }

  step "site" {
    directory {
      path = "/srv/site"
      mode = "0755"
    }
  }

  step "page" {
    file {
      path    = "/srv/site/index.html"
      content = "<h1>${host.name}</h1>\n"
    }
  }

  step "config" {
    file {
      path    = "/etc/nginx/nginx.conf"
      content = templatefile("${path.module}/nginx.conf.tftpl", { workers = var.workers, host = host.name })
      mode    = "0644"
    }
    notify = [handler.reload]
  }

  handler "reload" {
    service {
      name   = "nginx"
      action = "reload"
    }
  }
}

output "hosts" {
  description = "Names of the hosts that are configured."
  value       = keys(var.hosts)
}
