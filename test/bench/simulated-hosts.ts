/**
 * @module Hosts that are a map in memory and answer at once: what is measured with them is the engine, the core and
 * the kinds, without a network. They know files only, and only what the file kind asks about them.
 */
import { createHash } from "node:crypto";
import type { Login } from "../../src/ssh/login/login.ts";
import type { Answer, Session, SessionPool } from "../../src/ssh/session.ts";

interface SimulatedFile {
  readonly sha256: string;
  readonly size: number;
  readonly mode: string;
}

export interface SimulatedHosts {
  readonly sessions: SessionPool;
  /** Questions so far, over all hosts. */
  readonly questions: () => number;
}

/** @param content text of a file that a host has from the start, by `ADDRESS PATH` */
export function simulatedHosts(
  content?: (address: string, path: string) => string | undefined,
): SimulatedHosts {
  const sessions = new Map<string, Session>();
  let questions = 0;
  const open = (login: Login): Session => {
    const files = new Map<string, SimulatedFile>();
    const fileAt = (path: string): SimulatedFile | undefined => {
      const known = files.get(path);
      const text = known === undefined ? content?.(login.address, path) : undefined;
      if (text === undefined) return known;
      const file = describe(Buffer.from(text), undefined);
      files.set(path, file);
      return file;
    };
    return {
      login,
      counters: { flushes: 0, requests: 0, channels: 0 },
      async ask({ text }) {
        questions++;
        if (text.includes("/etc/machine-id")) return answer(`machine ,${login.address},net\n`);
        return answer(
          pathGroups(text)
            .map((paths) => answerAbout(paths, fileAt))
            .join(""),
        );
      },
      act: () => Promise.reject(new Error("a simulated host runs no scripts")),
      run: () => Promise.reject(new Error("a simulated host runs no commands")),
      leftRunning: async () => undefined,
      async put({ path, content: bytes, mode }) {
        if (!Buffer.isBuffer(bytes)) throw new Error("a simulated host takes no streams");
        files.set(path, describe(bytes, mode));
      },
      reset: async () => undefined,
    };
  };
  return {
    questions: () => questions,
    sessions: {
      session(login) {
        const session = sessions.get(login.address) ?? open(login);
        sessions.set(login.address, session);
        return session;
      },
      close: async () => undefined,
    },
  };
}

const describe = (bytes: Buffer, mode: number | undefined): SimulatedFile => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  size: bytes.length,
  mode: (mode ?? 0o644).toString(8),
});

const answer = (stdout: string): Answer => ({
  status: 0,
  stdout: Buffer.from(stdout),
  stderr: Buffer.alloc(0),
});

/** The paths of each question in a script; those of the benchmark need no quotes. */
const pathGroups = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^c3x_follow=\w c3x_hashes=\w; c3x_kinds (.*?); c3x_stat_all/gm)].map(([, paths]) =>
    paths!.split(" "),
  );

function answerAbout(paths: readonly string[], fileAt: (path: string) => SimulatedFile | undefined): string {
  const files = paths.map(fileAt);
  const there = files.filter((file) => file !== undefined);
  return [
    ...files.map((file) => (file === undefined ? "a" : "f")),
    ...there.flatMap(({ mode, size }) => [`${mode} 0 0 ${size} 1`, "root", "root"]),
    ...there.map(({ sha256 }) => sha256),
    "",
  ].join("\n");
}
