/**
 * @module How a host is reached and logged in to: the settings of an `ssh` block with every default filled in.
 */

export type HostKeyChecking = "strict" | "accept-new" | "off";

/** Everything that makes one login. Two logins that are deeply equal (the label `host` apart) share one connection. */
export interface Login {
  /** Name for messages: the host's name in its circuit, else its address. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Private key text (OpenSSH or PEM). Secret. */
  readonly privateKey?: string;
  /** Path on the controller; `~` is the user's home. */
  readonly privateKeyFile?: string;
  /** Secret. */
  readonly passphrase?: string;
  /** Secret. */
  readonly password?: string;
  /** Whether the agent at `SSH_AUTH_SOCK` is asked. */
  readonly agent: boolean;
  /** The only host key to accept: `ssh-ed25519 AAAA…`, or a fingerprint `SHA256:…`. */
  readonly hostKey?: string;
  readonly knownHostsFile?: string;
  readonly hostKeyChecking: HostKeyChecking;
  /** Seconds for connecting, exchanging keys and logging in. */
  readonly connectTimeout: number;
  /** Seconds that one command may take on the host; 0 means no limit. */
  readonly commandTimeout: number;
  /** Seconds between keep-alive messages; three unanswered ones end the connection. 0 turns them off. */
  readonly keepalive: number;
  readonly become: boolean;
  readonly becomeUser: string;
  readonly becomeMethod: "sudo";
}
