/**
 * @module The processes of a demo host: one per channel, its streams and its end carried over as sshd does.
 */

import type { ChildProcess } from "node:child_process";
import type { ServerChannel } from "ssh2";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { startProgram } from "../../programs/start.ts";
import { createSender } from "./sender.ts";

export interface CommandSettings {
  /** Working directory. */
  readonly directory: string;
  /** Called with `-c COMMAND`. */
  readonly shell: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Commands {
  /**
   * Runs a command on a channel.
   * @param listen is given what to call for a signal of the client, by its name without `SIG`
   */
  run(command: string, channel: ServerChannel, listen: (onSignal: (name: string) => void) => void): void;
  /** Kills what still runs, with its children, and waits until it is gone. */
  end(): Promise<void>;
}

export function createCommands(settings: CommandSettings): Commands {
  /** Process groups that outlived their leaders. */
  const leftBehind = new Set<number>();
  const alive = new Set<ChildProcess>();

  return {
    run(command, channel, listen) {
      // A process group of its own, as sshd gives: so that it can be ended with its children.
      const child = startProgram(settings.shell, ["-c", command], {
        cwd: settings.directory,
        env: { ...settings.environment },
        detached: true,
      });
      alive.add(child);
      listen((name) => signalGroup(child.pid, `SIG${name}` as NodeJS.Signals));
      carry(child, channel);
      child.on("error", () => alive.delete(child));
      child.on("exit", () => {
        alive.delete(child);
        // The number of a group that is empty may soon be another's.
        if (signalGroup(child.pid, 0)) leftBehind.add(child.pid!);
      });
    },
    async end() {
      for (const group of leftBehind) signalGroup(group, "SIGKILL");
      await Promise.all(
        [...alive].map((child) => {
          const gone = new Promise((done) => child.once("exit", done));
          signalGroup(child.pid, "SIGKILL");
          return gone;
        }),
      );
    },
  };
}

/** Streams, the exit status as soon as the command ends, and the close when nothing can be written any more. */
function carry(child: ChildProcess, channel: ServerChannel): void {
  let open = true;
  const ignore = (): void => {};
  child.stdin!.on("error", ignore);
  channel.on("error", ignore);
  channel.stderr.on("error", ignore);
  // Always read, also when the command reads no more: else the end of the channel would never be seen.
  channel.on("data", (chunk: Buffer) => {
    if (child.stdin!.writable) child.stdin!.write(chunk);
  });
  channel.on("end", () => child.stdin!.end());
  const sender = createSender(channel);
  for (const stream of ["stdout", "stderr"] as const) {
    const source = child[stream]!;
    source.on("data", (chunk: Buffer) => {
      source.pause();
      sender.send(stream, chunk, () => source.resume());
    });
  }
  child.on("exit", (code, signal) => {
    if (!open) return;
    if (signal) channel.exit(signal.replace(/^SIG/, ""), false, "");
    else channel.exit(code ?? 0);
  });
  child.on("error", (error) => {
    if (!open) return;
    channel.exit(127);
    sender.send("stderr", Buffer.from(`${systemErrorText(error)}\n`), () => sender.end());
  });
  child.on("close", () => {
    if (open) sender.end();
  });
  channel.on("close", () => {
    // As with sshd, the command is not killed: it finds its streams closed.
    open = false;
    child.stdin!.destroy();
    child.stdout!.destroy();
    child.stderr!.destroy();
  });
}

/** Whether there was anything to signal; 0 only looks. */
function signalGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (group === undefined) return false;
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
