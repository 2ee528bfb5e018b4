/**
 * @module Keys that are given as text, for the system's `ssh`: each is held by a private agent, so that it is in no file.
 */
import type { ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { startProgram } from "../../programs/start.ts";
import { namedKey, repaired } from "../auth/private-key.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { type Used, use } from "../shared-use.ts";
import { systemReason } from "../system-reason.ts";
import { askpassEnvironment, writeAskpass } from "./openssh-secrets.ts";
import { makeShortDirectory } from "./short-directory.ts";

/** An agent in use by whoever holds this. */
export interface HeldAgent {
  readonly socket: string;
  /** May be called more than once. */
  release(): void;
}

export interface PrivateAgents {
  /**
   * An agent that holds the login's `privateKey` and nothing else.
   * @throws HostError with code `login_settings` when the key or its passphrase cannot be used
   */
  hold(login: Login): Promise<HeldAgent>;
}

/** Milliseconds for an agent to be there. */
const startTime = 5000;

interface Shared extends Used {
  readonly agent: Promise<Running>;
}

interface Running {
  readonly socket: string;
  end(): void;
}

export function createPrivateAgents(): PrivateAgents {
  const open = new Map<string, Shared>();
  return {
    async hold(login) {
      const key = JSON.stringify([login.privateKey, login.passphrase]);
      const shared = open.get(key) ?? { agent: startWith(login), users: 0 };
      open.set(key, shared);
      const release = use(shared, () => {
        open.delete(key);
        shared.agent.then((agent) => agent.end(), ignore);
      });
      try {
        return { socket: (await shared.agent).socket, release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

async function startWith(login: Login): Promise<Running> {
  const { path: directory, remove } = await makeShortDirectory();
  const socket = join(directory, "s");
  // The agent ends by itself some seconds after the command does: also when this process is killed.
  const command = startProgram("ssh-agent", ["-a", socket, "sh", "-c", "echo $SSH_AGENT_PID; exec cat"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let pid: number | undefined;
  const end = (): void => {
    command.stdin.end();
    if (pid !== undefined) endProcess(pid);
    remove();
  };
  try {
    pid = await started(login, command);
    await addKey(login, socket, directory);
    return { socket, end };
  } catch (error) {
    end();
    throw error;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended.
  }
}

/** @returns the agent's process, which makes its socket before it runs the command */
function started(login: Login, command: ChildProcessByStdio<Writable, Readable, null>): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      const message = `the program ssh-agent, which is to hold private_key, cannot be used: ${why}`;
      reject(new HostError("login_settings", login.host, message, "Use private_key_file, or the agent."));
    };
    const timer = setTimeout(() => fail("it does not answer"), startTime);
    command.on("error", (error) => fail(systemReason(error)));
    command.on("exit", () => fail("it has ended"));
    command.stdin.on("error", ignore);
    command.stdout.once("data", (chunk: Buffer) => {
      clearTimeout(timer);
      resolve(Number(chunk.toString("latin1")));
    });
  });
}

async function addKey(login: Login, socket: string, directory: string): Promise<void> {
  const program = join(directory, "a");
  await writeAskpass(program);
  const said = await fed("ssh-add", ["-q", "-"], repaired(login.privateKey!), {
    ...process.env,
    ...askpassEnvironment(program, [login]),
    SSH_AUTH_SOCK: socket,
  });
  if (said === undefined) return;
  // It says better what is wrong with the key.
  await namedKey(login);
  const message = `the private key private_key cannot be used: ${said}`;
  throw new HostError("login_settings", login.host, message, "OpenSSH and PEM formats are read.");
}

/** @returns undefined when the program did what it was to do, else what it said */
function fed(
  program: string,
  args: readonly string[],
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = startProgram(program, args, { stdio: ["pipe", "ignore", "pipe"], env });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-1000);
    });
    child.stdin.on("error", ignore);
    child.on("error", (error) => resolve(systemReason(error)));
    child.on("close", (status) => resolve(status === 0 ? undefined : said.trim() || "ssh-add refused it"));
    child.stdin.end(text);
  });
}

const ignore = (): void => {};
