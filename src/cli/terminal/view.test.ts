import pico from "picocolors";
import { expect, test } from "vitest";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { EventSubject } from "../../engine/event.ts";
import type { Options } from "../command-line/option.ts";
import type { SessionOption } from "../command-line/shared-options.ts";
import type { Terminal } from "./terminal.ts";
import { openView } from "./view.ts";

const subject: EventSubject = {
  address: 'conn3x_file.web__config["web1"]',
  host: "web1",
  circuit: "web",
  member: "config",
};

function open() {
  let text = "";
  const terminal: Terminal = {
    out: (more) => {
      text += more;
    },
    json: (more) => {
      text += more;
    },
    data: (more) => {
      text += more;
    },
    err: () => {},
    lost: new AbortController().signal,
    problem: () => undefined,
    colors: pico.createColors(false),
    width: 78,
    live: false,
    interactive: false,
    report: (diagnostics) => {
      for (const { summary } of diagnostics) text += `\nError: ${summary}\n`;
    },
    ask: async () => undefined,
  };
  const options: Options<SessionOption> = {
    flag: () => false,
    value: () => undefined,
    list: () => [],
    declaring: () => undefined,
    lists: [],
  };
  return { view: openView({ terminal, options, args: [] }), text: () => text };
}

test("what is said between two lines of progress stands apart from both", () => {
  const { view, text } = open();
  const done = (at: number) =>
    view.events({ kind: "apply_complete", subject, action: "create", at, elapsed: 0 });
  done(1);
  view.events({ kind: "diagnostic", diagnostic: errorDiagnostic("Bad", ""), at: 2 });
  done(3);
  done(4);
  const line = `${subject.address}: Created after 0.0s\n`;
  expect(text()).toBe(`${line}\nError: Bad\n\n${line}${line}`);
});
