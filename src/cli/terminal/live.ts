/**
 * @module Draws the progress of a run at the bottom of a terminal, while everything else scrolls above it.
 */
import { type EventSink, now, type Plan } from "../../engine/index.ts";
import { LiveModel } from "../render/live.ts";
import type { Terminal } from "./terminal.ts";

/** Milliseconds between drawings. */
const interval = 100;

export interface Live {
  /** The terminal to write to while lines are drawn. */
  readonly terminal: Terminal;
  readonly events: EventSink;
  /** The plan that is now acted on. */
  act(plan: Plan): void;
  /** Takes the lines away. */
  close(): void;
}

/** Moves the cursor up by some lines and clears from there. Source: ECMA-48, CUU and ED. */
const clearing = (lines: number): string => (lines === 0 ? "" : `\x1b[${lines}A\x1b[J`);

/** On anything but a terminal nothing is drawn. */
export function openLive(terminal: Terminal): Live {
  const plain: Live = { terminal, events: () => {}, act: () => {}, close: () => {} };
  return terminal.live ? drawing(terminal) : plain;
}

function drawing(terminal: Terminal): Live {
  const model = new LiveModel();
  let drawn = 0;
  const clear = (): void => {
    if (drawn > 0) terminal.data(clearing(drawn));
    drawn = 0;
  };
  const draw = (): void => {
    const lines = model.lines(now(), terminal.width, terminal.colors);
    if (lines.length === 0 && drawn === 0) return;
    terminal.data(clearing(drawn));
    terminal.out(lines.map((line) => `${line}\n`).join(""));
    drawn = lines.length;
  };
  const timer = setInterval(draw, interval);
  timer.unref();
  return {
    terminal: {
      ...terminal,
      out: (text) => {
        clear();
        terminal.out(text);
      },
      data: (text) => {
        clear();
        terminal.data(text);
      },
      err: (text) => {
        clear();
        terminal.err(text);
      },
      report: (diagnostics) => {
        clear();
        terminal.report(diagnostics);
      },
    },
    events: (event) => model.event(event),
    act: (plan) => model.act(plan),
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}
