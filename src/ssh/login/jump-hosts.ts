/**
 * @module Jump hosts in one text, as `ssh -J` and ProxyJump have them.
 */
import { HostError } from "../host-error.ts";
import { checkHostName, checkUserName } from "./checked-names.ts";
import type { Bastion, Login } from "./login.ts";

/**
 * @param text unset or `none` for no hosts
 * @throws HostError with code `login_settings`
 */
export function jumpsOf(login: Login, text: string | undefined): readonly Bastion[] {
  if (text === undefined || text.toLowerCase() === "none") return [];
  return text.split(",").map((word) => jumpOf(login, word.trim()));
}

/** `[user@]host[:port]`, or `ssh://…`. */
function jumpOf(login: Login, word: string): Bastion {
  const [, user, bracketed, plain, port] =
    /^(?:ssh:\/\/)?(?:(.+)@)?(?:\[([^\]]+)\]|([^:@/]+))(?::(\d+))?\/?$/.exec(word) ?? [];
  const address = bracketed ?? plain;
  if (address === undefined) {
    throw new HostError(
      "login_settings",
      login.host,
      `${JSON.stringify(word)} is no jump host`,
      "Write [user@]host[:port], several with commas between them.",
    );
  }
  checkHostName(login, "a jump host", address);
  if (user) checkUserName(login, "the user of a jump host", user);
  return { address, ...(user && { user }), ...(port && { port: Number(port) }) };
}
