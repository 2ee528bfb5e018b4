/**
 * @module Hosts in memory behind the real provider, with two kinds of steps and the shipped service action: for tests that
 * go from a circuit's text through compiler, engine and provider.
 */
import { isDeepStrictEqual } from "node:util";
import { createProvider } from "../../core/create-provider.ts";
import type { Provider } from "../../core/provider.ts";
import type { Kind, StepKind } from "../../resources/kind.ts";
import { nothingToRead } from "../../resources/nothing-to-read.ts";
import { serviceActionKind } from "../../resources/service_action/service-action.ts";
import { hostResource, onRemove } from "../../resources/settings.ts";
import { stepTriggers } from "../../resources/triggers.ts";
import { string } from "../../schema/schema.ts";
import { script } from "../../script/script.ts";
import { HostError } from "../../ssh/host-error.ts";
import type { Login } from "../../ssh/login/login.ts";
import { resolveLogin } from "../../ssh/login/resolve-login.ts";
import type { Answer, Session } from "../../ssh/session.ts";

const text = { describe: "" };

/** Something with a content, on a host. */
const thingKind: StepKind<string> = {
  role: "step",
  name: "thing",
  type: "conn3x_thing",
  schema: hostResource("For tests.", {
    name: string({ ...text, required: true, identity: true }),
    content: string({ ...text, required: true, observed: true }),
    on_remove: onRemove,
  }),
  id: { from: ["name"], of: ({ name }) => String(name) },
  facts: {
    subject: ({ name }) => String(name),
    ask: (names) => script`look ${names}`,
    parse: (stdout, names) => {
      const found = new Map(Object.entries(JSON.parse(stdout.toString("utf8")) as Record<string, string>));
      return names.map((name) => {
        const facts = found.get(name);
        return facts === undefined ? { state: "absent" } : { state: "present", facts };
      });
    },
  },
  observe: (content, object) => ({ ...object, content }),
  operate: ({ name, content }, found) =>
    found.state === "present" && found.facts === content
      ? []
      : [
          {
            do: "script",
            script: script`put ${String(name)} ${String(content)}`,
            purpose: "put",
            own: false,
          },
        ],
  remove: ({ name }) => [{ do: "script", script: script`drop ${String(name)}`, purpose: "drop", own: false }],
};

/** Something that runs when it is made and when a trigger changes. */
const runnerKind: StepKind<null, null> = {
  role: "step",
  name: "runner",
  type: "conn3x_runner",
  schema: hostResource("For tests.", {
    name: string({ ...text, required: true }),
    triggers: stepTriggers,
  }),
  id: { from: ["name"], of: ({ name }) => String(name) },
  facts: nothingToRead,
  observe: (_, object) => object,
  operate: ({ name, triggers }, _, prior) =>
    prior !== undefined && isDeepStrictEqual(triggers, prior.triggers)
      ? []
      : [{ do: "script", script: script`run ${String(name)}`, purpose: "run", own: false }],
  remove: () => [],
};

/** By type: `thing`, `runner`, and the shipped `service` of handlers. */
export const memoryKinds: ReadonlyMap<string, Kind> = new Map(
  [thingKind, runnerKind, serviceActionKind].map((kind) => [kind.type, kind as unknown as Kind]),
);

/** What `systemctl show` prints of the services that are asked about: each runs and can be reloaded. */
const running = (asked: string): string => {
  const units = [...new Set(asked.match(/\bunit\d+\b/g))];
  return [
    "systemd\nlinks",
    ...units.map(
      (unit) =>
        `Id=${unit}.service\nLoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nCanReload=yes`,
    ),
  ].join("\n\n");
};

export interface MemoryHost {
  /** Contents by name. */
  readonly things: Map<string, string>;
  isDown: boolean;
  /** What it fails at: `put t0`, `service unit0`. */
  fails?: string;
  /** Without it nobody logs in; undefined: anybody does. */
  password?: string;
}

export interface MemoryHosts {
  /** By address. */
  readonly hosts: ReadonlyMap<string, MemoryHost>;
  /** What was done, in order: `h0 put t0 x`, `h0 run last`, `h0 service unit0`. */
  readonly done: string[];
  /** What was looked at, in order: `h0 look t0 t1`. */
  readonly looked: string[];
  /** A provider of a run of its own. */
  provider(): Provider;
}

export function memoryHosts(addresses: readonly string[]): MemoryHosts {
  const hosts = new Map(
    addresses.map((address): [string, MemoryHost] => [address, { things: new Map(), isDown: false }]),
  );
  const done: string[] = [];
  const looked: string[] = [];
  const answer = (address: string, asked: string): string => {
    const { things } = hosts.get(address)!;
    const [verb, name, content] = asked.split(" ");
    switch (verb) {
      case "look":
        looked.push(`${address} ${asked}`);
        return JSON.stringify(Object.fromEntries(things));
      case "put":
        things.set(name!, content!);
        done.push(`${address} ${asked}`);
        return "";
      case "drop":
        things.delete(name!);
        done.push(`${address} ${asked}`);
        return "";
      case "run":
        done.push(`${address} ${asked}`);
        return "";
      default:
        // Actions have nothing on a host (C10), but a plan that will reload looks at the service.
        if (asked.includes("systemctl show")) return running(asked);
        if (!asked.includes("/etc/machine-id")) throw new Error(`asked for ${asked}`);
        return "";
    }
  };
  const session = (login: Login): Session => {
    const { address } = login;
    const respond = async (said: () => string, doing = ""): Promise<Answer> => {
      const { isDown, fails, password = login.password } = hosts.get(address)!;
      if (isDown) throw new HostError("unreachable", address, "no answer");
      if (login.password !== password)
        throw new HostError("login_refused", address, "wrong password", login.refusalAdvice);
      if (fails !== undefined && doing.startsWith(fails))
        return { status: 1, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
      return { status: 0, stdout: Buffer.from(said()), stderr: Buffer.alloc(0) };
    };
    return {
      login: resolveLogin(login),
      counters: { flushes: 0, requests: 0, channels: 0 },
      ask: (asked) => respond(() => answer(address, asked.text)),
      act: (asked) => respond(() => answer(address, asked.text), asked.text),
      // Only actions have a channel of their own here; their units are named `unit0`.
      run: (asked) => {
        const doing = `service ${/\bunit\d+\b/.exec(asked.script)![0]}`;
        return respond(() => {
          done.push(`${address} ${doing}`);
          return "";
        }, doing);
      },
      leftRunning: async () => undefined,
      put: async () => undefined,
      reset: async () => undefined,
    };
  };
  return {
    hosts,
    done,
    looked,
    provider: () => {
      const sessions = new Map<string, Session>();
      const pool = (login: Login): Session => {
        const key = JSON.stringify(login);
        const known = sessions.get(key) ?? session(login);
        sessions.set(key, known);
        return known;
      };
      return createProvider({
        kinds: memoryKinds,
        sessions: { session: pool, close: async () => undefined },
      });
    },
  };
}
