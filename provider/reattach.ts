/**
 * @module Settings that make OpenTofu use a provider that runs already, instead of starting one.
 */
import { protocolVersion } from "./handshake.ts";

/** The provider's address, written out with its host, so that OpenTofu and Terraform understand each other's states. */
export const providerAddress = "registry.opentofu.org/conn3x/conn3x";

/**
 * The value of `TF_REATTACH_PROVIDERS` that leads to a socket served by `serve` without TLS.
 *
 * @param pid the process that serves, whose end shows OpenTofu that the provider is gone
 */
export function reattachVariable(socketPath: string, pid = process.pid): string {
  return JSON.stringify({
    [providerAddress]: {
      Protocol: "grpc",
      ProtocolVersion: protocolVersion,
      Pid: pid,
      // Says that the provider is not OpenTofu's to end.
      Test: true,
      Addr: { Network: "unix", String: socketPath },
    },
  });
}
