/**
 * @module The processes of a demo host: one per channel, its streams and its end carried over as sshd does.
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { ServerChannel } from "ssh2";

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
  /** Process groups that were started; a group may outlive its leader. */
  const groups = new Set<number>();
  const alive = new Set<ChildProcess>();

  return {
    run(command, channel, listen) {
      // A process group of its own, as sshd gives: so that it can be ended with its children.
      const child = spawn(settings.shell, ["-c", command], {
        cwd: settings.directory,
        env: { ...settings.environment },
        detached: true,
      });
      alive.add(child);
      if (child.pid !== undefined) groups.add(child.pid);
      listen((name) => signalGroup(child.pid, `SIG${name}` as NodeJS.Signals));
      carry(child, channel);
      child.on("close", () => alive.delete(child));
      child.on("error", () => alive.delete(child));
    },
    async end() {
      for (const group of groups) signalGroup(group, "SIGKILL");
      await Promise.all([...alive].map((child) => new Promise((done) => child.once("close", done))));
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
  channel.pipe(child.stdin!);
  child.stdout!.pipe(channel, { end: false });
  child.stderr!.pipe(channel.stderr, { end: false });
  child.on("exit", (code, signal) => {
    if (!open) return;
    if (signal) channel.exit(signal.replace(/^SIG/, ""), false, "");
    else channel.exit(code ?? 0);
  });
  child.on("error", (error) => {
    if (!open) return;
    channel.stderr.write(`${error.message}\n`);
    channel.exit(127);
    channel.end();
  });
  child.on("close", () => {
    if (open) channel.end();
  });
  channel.on("close", () => {
    // As with sshd, the command is not killed: it finds its streams closed.
    open = false;
    child.stdin!.destroy();
    child.stdout!.destroy();
    child.stderr!.destroy();
  });
}

function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return;
  try {
    process.kill(-group, signal);
  } catch {
    // Gone already.
  }
}
