/**
 * @module The defaults of a login, all in this module.
 */
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { Login } from "./login.ts";

/** The settings of a login that were given; `undefined` ones count as left out. */
export type GivenLogin = Partial<{ [K in keyof Login]: Login[K] | undefined }> & { address: string };

/**
 * Fills in what an `ssh` block leaves out, as `ssh` itself would: port 22, the current user of this machine, its agent
 * and `~/.ssh/known_hosts`, strict host key checking, 10 s to connect and log in, a keep-alive every 15 s, no limit for
 * commands, no become (and `root` where become is asked for without a user). What the `ssh_config` file says is looked
 * up when the host is connected to (`config/reached-login.ts`).
 */
export function resolveLogin(partial: GivenLogin): Login {
  const given = Object.fromEntries(
    Object.entries(partial).filter(([, value]) => value !== undefined),
  ) as Partial<Login>;
  const defaults = {
    host: partial.address,
    port: 22,
    user: currentUser(),
    agent: true,
    hostKeyChecking: "strict",
    knownHostsFile: "~/.ssh/known_hosts",
    connectTimeout: 10,
    commandTimeout: 0,
    keepalive: 15,
    become: false,
    becomeUser: "root",
    becomeMethod: "sudo",
  } as const satisfies Partial<Login>;
  const defaulted = configurable.filter(
    (name) => given[name] === undefined || given.defaulted?.includes(name),
  );
  return { ...defaults, ...given, address: partial.address, defaulted };
}

/** Settings with a default here that an `ssh_config` file may have made. */
const configurable = [
  "port",
  "user",
  "hostKeyChecking",
  "knownHostsFile",
  "connectTimeout",
  "keepalive",
] as const satisfies readonly (keyof Login)[];

/** A path as a user writes it: a leading `~` is the home directory of this machine's user. */
export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

let home: string | undefined;

/** The home directory of the user database, asked for once. */
export function homeDirectory(): string {
  home ??= userInfo().homedir;
  return home;
}

let known: string | undefined;

/** The operating system's name for this user, asked for once. */
export function currentUser(): string {
  known ??= askCurrentUser();
  return known;
}

/** The variable is for accounts without an entry in the user database. */
function askCurrentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? "root";
  }
}
