/**
 * @module All transports as one: each login uses the transport that it names.
 */

import { mayStartPrograms } from "../../programs/start.ts";
import { certificateBeside } from "../auth/private-key.ts";
import { HostError, programRefused } from "../host-error.ts";
import type { Login, TransportName } from "../login/login.ts";
import { createLocalTransport } from "./local-transport.ts";
import { createOpensshTransport } from "./openssh-transport.ts";
import { createSsh2Transport, type Ssh2TransportOptions } from "./ssh2-transport.ts";
import type { Transport } from "./transport.ts";

export function createTransport(options: Ssh2TransportOptions = {}): Transport {
  const transports: Readonly<Record<TransportName, Transport>> = {
    ssh2: createSsh2Transport(options),
    openssh: createOpensshTransport(options),
    local: createLocalTransport(),
  };
  return {
    async connect(login, signal) {
      checkAddress(login);
      const name = await nameOf(login);
      if (name !== "ssh2" && !mayStartPrograms()) throw programRefused(login.host, `transport "${name}"`);
      return transports[name].connect(login, signal);
    },
  };
}

/** A certificate can only be shown by one of them: also one that `ssh` would find beside the key. */
async function nameOf({
  transport,
  privateKey,
  privateKeyFile,
  certificateFile,
  host,
}: Login): Promise<TransportName> {
  if (transport === "ssh2" && certificateFile !== undefined) {
    throw new HostError(
      "login_settings",
      host,
      'certificate_file cannot be used by transport "ssh2"',
      'Set transport to "openssh".',
    );
  }
  if (transport !== undefined) return transport;
  const namesFile = privateKey === undefined && privateKeyFile !== undefined;
  const certificate = certificateFile ?? (namesFile ? await certificateBeside(privateKeyFile) : undefined);
  return certificate === undefined ? "ssh2" : "openssh";
}

/** What belongs into settings of its own. */
function checkAddress({ address, host }: Login): void {
  const refuse = (message: string, advice: string): never => {
    throw new HostError("login_settings", host, message, advice);
  };
  const quoted = JSON.stringify(address);
  if (address.trim() === "") refuse("the address is empty", "Set address to a host name or IP address.");
  if (/^[a-z]+:\/\//i.test(address)) {
    refuse(
      `the address ${quoted} is a URL`,
      "Set address to the host name in it, and port and user where they differ.",
    );
  }
  const at = address.lastIndexOf("@");
  if (at >= 0) {
    const [user, name] = [address.slice(0, at), address.slice(at + 1)];
    refuse(
      `the address ${quoted} names a user`,
      `Set user = ${JSON.stringify(user)} and address = ${JSON.stringify(name)}.`,
    );
  }
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(address) ?? [];
  if (port !== undefined) {
    refuse(
      `the address ${quoted} names a port`,
      `Set port = ${port || 22} and address = ${JSON.stringify(bracketed ?? plain)}.`,
    );
  }
  if (bracketed !== undefined) {
    refuse(`the address ${quoted} has brackets`, `Set address = ${JSON.stringify(bracketed)}.`);
  }
}
