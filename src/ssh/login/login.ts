/**
 * @module The login of a host: the settings of an `ssh` block with every default filled in.
 */

export type HostKeyChecking = "strict" | "accept-new" | "off";

export type BecomeMethod = "sudo" | "doas" | "su";

export type TransportName = "ssh2" | "openssh" | "local";

/** One login. Logins that are deeply equal, apart from the label `host`, share a connection. */
export interface Login {
  /** Name for messages: the host's name in its circuit, else its address. */
  readonly host: string;
  /** Name for logs: that of the host in its circuit, if known. Unset: {@link host}. */
  readonly logName?: string;
  /** Host name, IP address, or a name that the `ssh_config` file knows. */
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
  /** Path of the certificate for the key (`…-cert.pub`); only the `openssh` transport can show one. */
  readonly certificateFile?: string;
  /** Whether the agent at `SSH_AUTH_SOCK` is asked. */
  readonly agent: boolean;
  /** Whether only the named keys are offered, even if the agent has others. */
  readonly identitiesOnly?: boolean;
  /** The only host key to accept: `ssh-ed25519 AAAA…`, or a fingerprint `SHA256:…`. */
  readonly hostKey?: string;
  readonly knownHostsFile?: string;
  readonly hostKeyChecking: HostKeyChecking;
  /** Algorithms for the host's key, as HostKeyAlgorithms of ssh_config(5); likewise those below. Never a jump host's, too. */
  readonly hostKeyAlgorithms?: string;
  readonly kexAlgorithms?: string;
  readonly ciphers?: string;
  readonly macs?: string;
  /** Algorithms for the keys that are offered for logging in. */
  readonly pubkeyAcceptedAlgorithms?: string;
  /** Bits that keys of RSA must have: the host's and those that are offered. */
  readonly requiredRsaSize?: number;
  /** Path of the `ssh_config` file; `none` for no file at all. Unset: the user's and the system's, as `ssh` reads them. */
  readonly sshConfigFile?: string;
  /** Jump hosts in order: the first is reached from here, the last one connects to the host. */
  readonly bastions?: readonly Bastion[];
  /** The same as `ssh -J`: `[user@]host[:port]`, several after commas; `none` goes straight there. */
  readonly proxyJump?: string;
  /** Command on the controller whose streams are the connection, as ProxyCommand of ssh_config(5); `none` for none. */
  readonly proxyCommand?: string;
  /** Seconds for connecting, exchanging keys and logging in. */
  readonly connectTimeout: number;
  /**
   * How many more times connecting is tried within `connectTimeout`. Unset: as often as fits, and only where the
   * connection was closed before anything was said.
   */
  readonly retries?: number;
  /** Seconds that one command may take on the host; 0 means no limit. */
  readonly commandTimeout: number;
  /**
   * Seconds between keep-alive messages: when the fourth would be due and three are unanswered, the connection ends, so
   * after four times as long. 0 turns them off.
   */
  readonly keepalive: number;
  readonly become: boolean;
  readonly becomeUser: string;
  readonly becomeMethod: BecomeMethod;
  /** Secret. */
  readonly becomePassword?: string;
  /** Unset: `ssh2`. */
  readonly transport?: TransportName;
  /** Whole sentences for who is refused: what may be missing from this login, and what to do. */
  readonly refusalAdvice?: string;
  /** Settings that are defaults: those of the `ssh_config` file take precedence. */
  readonly defaulted?: readonly (keyof Login)[];
}

/**
 * A jump host. Settings that it leaves out come from the `ssh_config` file, then from the login that goes through it;
 * except `password`, `hostKey` and the algorithms, which belong to one host only.
 */
export type Bastion = Partial<
  Pick<
    Login,
    | "port"
    | "user"
    | "privateKey"
    | "privateKeyFile"
    | "passphrase"
    | "password"
    | "certificateFile"
    | "agent"
    | "identitiesOnly"
    | "hostKey"
    | "knownHostsFile"
    | "hostKeyChecking"
    | "hostKeyAlgorithms"
    | "kexAlgorithms"
    | "ciphers"
    | "macs"
    | "pubkeyAcceptedAlgorithms"
    | "requiredRsaSize"
  >
> &
  Pick<Login, "address">;
