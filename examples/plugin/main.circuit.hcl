variable "hosts" {
  description = "Addresses, or objects with address and login, by host name"
  type        = any
}

circuit "shells" {
  hosts = var.hosts

  step "editor" {
    profile_variable {
      name  = "EDITOR"
      value = "vim"
    }
  }
}
