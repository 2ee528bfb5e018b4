/**
 * @module Refuses names of hosts and users that would say something to a program or a shell, before anything is made of them:
 * whoever gave them, this configuration, an `ssh_config` file, or a state.
 */
import { badHostName, badUserName } from "../../script/login-names.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "./login.ts";

/** @param what names the name: `HostName in ~/.ssh/config line 3` @throws HostError with code `login_settings` */
export function checkHostName(login: Login, what: string, name: string): void {
  refuse(login, what, badHostName(name));
}

/** @throws HostError as {@link checkHostName} */
export function checkUserName(login: Login, what: string, name: string): void {
  refuse(login, what, badUserName(name));
}

/** Checks the names in the login and in the jump hosts that it names. @throws HostError as {@link checkHostName} */
export function checkLoginNames(login: Login): void {
  checkHostName(login, "address", login.address);
  checkUserName(login, "user", login.user);
  for (const { address, user } of login.bastions ?? []) {
    checkHostName(login, "address of a bastion", address);
    if (user !== undefined) checkUserName(login, "user of a bastion", user);
  }
}

/** The name itself may be anything, and is not repeated. */
function refuse({ host }: Login, what: string, trouble: string | undefined): void {
  if (trouble === undefined) return;
  const advice =
    "Commands such as ProxyCommand are made with names of hosts and users: those that could say more than a name are refused, as ssh does.";
  throw new HostError("login_settings", host, `the way to ${host}: ${what} ${trouble}`, advice);
}
