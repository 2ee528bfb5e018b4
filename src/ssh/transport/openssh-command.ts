/**
 * @module The jump path of the system's `ssh`: the arguments of each `ssh` on it. Every host of it has a small
 * program of its own, which the next one runs as its ProxyCommand, so that it can have settings of its own.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quote } from "../../script/script.ts";
import type { Passphrases } from "../auth/asked-passphrases.ts";
import { reachedLogin } from "../config/reached-login.ts";
import { HostError } from "../host-error.ts";
import type { Bastion, Login } from "../login/login.ts";
import { jumpHostLogin, jumpHostsOf } from "./jump-path.ts";
import { weaknessesOf } from "./offered-algorithms.ts";
import { opensshArguments } from "./openssh-arguments.ts";
import { askpassEnvironment, canAnswer, writeAskpass } from "./openssh-secrets.ts";
import type { HeldAgent, PrivateAgents } from "./private-agent.ts";

export interface OpensshCommand {
  /** For the `ssh` that goes to the host itself, the address apart. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Ends what was started for it. */
  release(): void;
}

/** Written by a host's program when its `ssh` fails. */
export const jumpHostFailed = "conn3x: on the way: ";

/** What jump paths are made with. */
export interface CommandMeans {
  readonly agents: PrivateAgents;
  readonly passphrases: Passphrases | undefined;
  /** Called for each jump host, and for the host itself, that is allowed weak algorithms. */
  warn?(text: string): void;
}

/**
 * @param directory private; what is written there is no secret
 * @throws HostError with code `login_settings`
 */
export async function opensshCommand(
  login: Login,
  directory: string,
  { agents, passphrases, warn }: CommandMeans,
): Promise<OpensshCommand> {
  const logins: Login[] = [];
  const held: HeldAgent[] = [];
  const release = (): void => {
    for (const agent of held) agent.release();
  };
  const argumentsFor = async (given: Login, author: Login): Promise<string[]> => {
    const reached = await reachedLogin(given);
    for (const text of weaknessesOf(reached)) warn?.(text);
    const passphrase = await passphrases?.(reached);
    const own = passphrase === undefined ? given : { ...given, passphrase };
    const index = logins.push(own) - 1;
    const hostKey = await hostKeyOptions(own, directory, index);
    const agent = own.privateKey === undefined ? undefined : await agents.hold(own);
    if (agent !== undefined) held.push(agent);
    const files = { agentSocket: agent?.socket, hostKey };
    return [
      ...opensshArguments(own, reached, files),
      "-o",
      `BatchMode=${mayBeAsked(own) ? "no" : "yes"}`,
      ...(await way(own, author)),
    ];
  };
  const way = async (own: Login, author: Login): Promise<string[]> => {
    const hops = jumpHostsOf(own);
    const last = hops.at(-1);
    if (last !== undefined) {
      const program = join(directory, `p${logins.length}`);
      await writeJumpHost(program, author, last, hops.slice(0, -1));
      return ["-o", `ProxyCommand=sh ${quote(program).replaceAll("%", "%%")} %h %p`];
    }
    if (own.proxyJump !== undefined) return ["-o", "ProxyJump=none"];
    return own.proxyCommand === undefined ? [] : ["-o", `ProxyCommand=${own.proxyCommand}`];
  };
  const writeJumpHost = async (
    program: string,
    author: Login,
    last: Bastion,
    before: readonly Bastion[],
  ): Promise<void> => {
    const jumpHost = jumpHostLogin(author, last, before);
    const index = logins.length;
    const args = await argumentsFor(jumpHost, before.length > 0 ? author : jumpHost);
    await writeFile(program, jumpHostProgram(jumpHost, index, args), { mode: 0o600 });
  };

  try {
    const args = await argumentsFor(login, login);
    if (!logins.some(canAnswer)) return { args, env: process.env, release };
    const program = join(directory, "a");
    await writeAskpass(program);
    return { args, env: { ...process.env, ...askpassEnvironment(program, logins) }, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The passphrase of a key that an agent of ours holds was asked for before. */
const mayBeAsked = ({ password, passphrase, privateKey }: Login): boolean =>
  password !== undefined || (passphrase !== undefined && privateKey === undefined);

/** Called with the address and the port that the next host is reached at from this one. */
function jumpHostProgram({ address }: Login, index: number, args: readonly string[]): string {
  const fixed = ["ControlMaster=no", "ControlPath=none", "ForwardAgent=no", "PermitLocalCommand=no"];
  const options = [...fixed, "RemoteCommand=none"].flatMap((option) => ["-o", option]);
  const words = ["ssh", ...options, ...args].map((word) => quote(word)).join(" ");
  return [
    `CONN3X_HOP=${index}; export CONN3X_HOP`,
    `${words} -W "[$1]:$2" -- ${quote(address)} && exit`,
    `echo ${quote(`${jumpHostFailed}${address}`)} >&2`,
    "exit 255",
    "",
  ].join("\n");
}

/** The name under which a key that the login names is looked up. */
const pinned = "conn3x-host";

/** Options that let no other key pass than the one that the login names, if it names one. */
async function hostKeyOptions(
  { hostKey, host }: Login,
  directory: string,
  index: number,
): Promise<readonly string[] | undefined> {
  if (hostKey === undefined) return undefined;
  const key = hostKey.trim();
  const only = (name: string, value: string): string[] => [
    `${name}=${value}`,
    `HostKeyAlias=${pinned}`,
    "GlobalKnownHostsFile=none",
  ];
  if (/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(key)) {
    const program = join(directory, `f${index}`);
    const known = `[ "$3" = ${quote(key.replace(/=$/, ""))} ] && echo "${pinned} $1 $2"\nexit 0\n`;
    await writeFile(program, known, { mode: 0o600 });
    return [...only("KnownHostsCommand", `/bin/sh "${program}" %t %K %f`), "UserKnownHostsFile=none"];
  }
  if (!/^[a-z0-9@.-]+ [A-Za-z0-9+/=]+/.test(key)) {
    throw new HostError(
      "login_settings",
      host,
      `host_key of ${host} is neither a public key nor a fingerprint`,
      'Give it as "ssh-ed25519 AAAA…" or as "SHA256:…".',
    );
  }
  const file = join(directory, `k${index}`);
  await writeFile(file, `${pinned} ${key}\n`, { mode: 0o600 });
  return only("UserKnownHostsFile", file);
}
