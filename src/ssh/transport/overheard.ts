/**
 * @module What a host says while it is logged in to, and `ssh2` keeps to itself or passes over: lines in place of SSH, texts
 * of PAM without a question, words of a goodbye, and whether a key that was no full login counted as a part of one.
 */
import type { Duplex } from "node:stream";
import type { Client } from "ssh2";

/** Called as it comes, before `ssh2` acts on it. */
export interface Overheard {
  /** A text for people. */
  said(text: string): void;
  /** The answer to an offer: what else the host takes, and whether the offer was good for a part (RFC 4252, 5.1). */
  answered(methods: readonly string[], partial: boolean): void;
  /** The host wants another password. */
  wantsNewPassword(): void;
}

/** Characters that are taken of lines before SSH. */
const longestGreeting = 1000;

/** Lines that are no SSH: RFC 4253, 4.2 allows them before it, and sshd says there why it takes nobody. */
export function overhearGreeting(stream: Duplex, said: (text: string) => void): void {
  let greeting = "";
  const take = (chunk: Buffer): void => {
    greeting += chunk.toString("latin1", 0, longestGreeting);
    const start = greeting.search(/^SSH-/m);
    if (start < 0 && greeting.length < longestGreeting) return;
    end();
  };
  const end = (): void => {
    stream.off("data", take).off("end", end).off("close", end);
    const text = greeting.replace(/^SSH-[\s\S]*/m, "");
    if (text.trim() !== "") said(Buffer.from(text, "latin1").toString("utf8"));
    greeting = "";
  };
  // In front of the listeners that report what the end means.
  stream.on("data", take).prependListener("end", end).prependListener("close", end);
}

type Handler = (protocol: unknown, ...values: readonly unknown[]) => void;

/** Listens to messages of the protocol. @param client has begun to connect */
export function overhear(client: Client, heard: Overheard): void {
  const { _protocol } = client as unknown as { _protocol?: { _handlers?: Record<string, Handler> } };
  const handlers = _protocol?._handlers;
  if (handlers === undefined) return;
  const before = (name: string, listen: (...values: readonly unknown[]) => void): void => {
    const handle = handlers[name];
    handlers[name] = (protocol, ...values) => {
      listen(...values);
      handle?.(protocol, ...values);
    };
  };
  const say = (text: unknown): void => {
    if (typeof text === "string" && text.trim() !== "") heard.said(text);
  };
  before("USERAUTH_BANNER", say);
  before("DISCONNECT", (_reason, description) => say(description));
  before("USERAUTH_FAILURE", (methods, partial) =>
    heard.answered(Array.isArray(methods) ? methods.map(String) : [], partial === true),
  );
  before("USERAUTH_INFO_REQUEST", (name, instructions, prompts) => {
    // With questions they are for who answers.
    if (Array.isArray(prompts) && prompts.length > 0) return;
    say(name);
    say(instructions);
  });
  before("USERAUTH_PASSWD_CHANGEREQ", (prompt) => {
    say(prompt);
    heard.wantsNewPassword();
  });
}
