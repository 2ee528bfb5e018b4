/**
 * @module A session that reports its requests and their answers as events.
 */
import { StringDecoder } from "node:string_decoder";
import { HostError } from "../host-error.ts";
import type { HostSession } from "../host-session.ts";
import type { Answer, FilePut, RunRequest, Written } from "../session.ts";
import { type HostEvent, logNameOf, type RequestKind } from "./host-event.ts";
import { notWritten } from "./not-written.ts";
import { inWords } from "./traced-transport.ts";

/** Most bytes of a stream that are looked at, and most characters of it that are reported. */
const mostBytes = 64 * 1024;
const mostCharacters = 16 * 1024;

export interface SessionTracing {
  report(event: HostEvent): void;
  /**
   * Without secrets. It is done before a text is cut: the cut may go through one.
   * @param isCut whether more follows that is not here
   */
  conceal(text: string, isCut?: boolean): string;
  /** Whether the user's own commands and what they answer are left out. */
  hidesCommands(): boolean;
}

export function tracedSession(session: HostSession, tracing: SessionTracing): HostSession {
  const host = logNameOf(session.login);
  let requests = 0;

  /** Reports a request before and after `work`. */
  const follow = async <T>(
    request: RequestKind,
    text: string,
    { purpose, output = asItIs, ...written }: Written,
    work: () => Promise<T>,
    answerOf: (result: T) => Partial<Answer>,
  ): Promise<T> => {
    const hides = output === notWritten.output;
    const id = ++requests;
    const asked = written.text ?? text;
    tracing.report({ host, kind: "asked", id, request, ...(purpose && { purpose }), text: asked });
    const began = performance.now();
    const took = (): number => performance.now() - began;
    try {
      const result = await work();
      const { status, stdout, stderr } = answerOf(result);
      tracing.report({
        host,
        kind: "answered",
        id,
        request,
        milliseconds: took(),
        ...(status === undefined ? {} : { status }),
        ...(stdout?.length ? { stdout: shown(stdout, output) } : {}),
        ...(stderr?.length ? { stderr: shown(stderr, output) } : {}),
      });
      return result;
    } catch (error) {
      const message = hides && isOfUsers(error) ? "it did not pass its validation" : inWords(error);
      tracing.report({ host, kind: "answered", id, request, milliseconds: took(), error: message });
      throw error;
    }
  };
  const shown = (bytes: Buffer, output: (text: string) => string): string => {
    const isCut = bytes.length > mostBytes;
    // Without a character that is not whole: it would be another.
    const whole = new StringDecoder("utf8").write(bytes.subarray(0, mostBytes));
    const text = output(tracing.conceal(isCut ? whole : bytes.toString("utf8"), isCut));
    return isCut || text.length > mostCharacters
      ? `${text.slice(0, mostCharacters)}\n… (${bytes.length} bytes in all)`
      : text;
  };
  const writtenOf = (written: Written | undefined, isUsers: boolean): Written =>
    isUsers && tracing.hidesCommands()
      ? { ...notWritten, ...(written?.purpose && { purpose: written.purpose }) }
      : (written ?? {});

  return {
    ...session,
    ask: (script, written, most) =>
      follow("facts", script.text, written ?? {}, () => session.ask(script, written, most), itself),
    act: (script, written) => follow("facts", script.text, written ?? {}, () => session.act(script), itself),
    run(request) {
      const written = writtenOf(request.written, request.ours !== true);
      const text = withSettings(request, written.text ?? request.script);
      const kind = request.ours ? "script" : "command";
      return follow(kind, text, { ...written, text }, () => session.run(request), itself);
    },
    put: (request, onQueued) =>
      follow(
        "file",
        putText(request),
        request.validate === undefined ? {} : withoutValidation(request, writtenOf(request.written, true)),
        () => session.put(request, onQueued),
        () => ({}),
      ),
    leftRunning: (requests) =>
      follow(
        "facts",
        "whether it still runs, from another run",
        {},
        () => session.leftRunning(requests),
        (runs) => ({ stdout: Buffer.from(runs ? "it does" : "it does not") }),
      ),
  };
}

/** The text of a validation is in it, and what that said of the content. */
const isOfUsers = (error: unknown): boolean => error instanceof HostError && error.code === "invalid";

const asItIs = (text: string): string => text;
const itself = (answer: Answer): Answer => answer;

const withSettings = ({ stdin, stdinSize, timeout }: RunRequest, script: string): string => {
  const size = Buffer.isBuffer(stdin) ? stdin.length : stdinSize;
  const notes = [
    ...(stdin === undefined ? [] : [`# with ${size ?? "some"} bytes on standard input`]),
    ...(timeout === undefined ? [] : [`# within ${timeout} s`]),
  ];
  return [...notes, script].join("\n");
};

/** Where the validation is not to be shown, what it says of the content is not either. */
const withoutValidation = (request: FilePut, written: Written): Written =>
  written.text === notWritten.text
    ? { ...written, text: putText({ ...request, validate: "something that is not shown" }) }
    : written;

/** Never the content, nor its hash. */
function putText(request: FilePut): string {
  const { path, content, mode, owner, group, follow, validate, backup, inPlace } = request;
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  return [
    `write ${path}: ${size} bytes`,
    ...(mode === undefined ? [] : [`mode ${mode.toString(8).padStart(4, "0")}`]),
    ...(owner === undefined ? [] : [`owner ${owner}`]),
    ...(group === undefined ? [] : [`group ${group}`]),
    ...(follow ? [] : ["a link is replaced"]),
    ...(backup ? ["keeping the old file"] : []),
    ...(inPlace ? ["into the file that is there"] : []),
    ...(validate === undefined ? [] : [`validated by ${validate}`]),
  ].join(", ");
}
