/**
 * @module What a terminal shows below everything else while a run works: how far it is, and what each host is at.
 */
import type { Colors } from "picocolors/types";
import { displayWidth, graphemes, visible } from "../../diagnostics/visible.ts";
import type { Event, EventSubject, Plan } from "../../engine/index.ts";
import { seconds } from "./progress.ts";
import { listed } from "./reason.ts";

/** More hosts than this are counted. */
const mostLines = 8;
/** Milliseconds after which the rest is estimated, and who is waited for is named. */
const settled = 3000;

/** Follows a run's events. Times are those of the events. */
export class LiveModel {
  #reading = 0;
  #read = 0;
  /** How many reads of each host have not ended. */
  readonly #unread = new Map<string, number>();
  /** Acting instances of each host that have not ended. */
  readonly #left = new Map<string, Set<string>>();
  readonly #replaced = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #running = new Map<string, { readonly subject: EventSubject; readonly at: number }>();
  #total = 0;
  #done = 0;
  #begun: number | undefined;

  /** The plan that is now acted on. */
  act(plan: Plan): void {
    for (const { address, host = "", decision, deposed } of plan.changes) {
      if (decision.action === "none" || deposed !== undefined) continue;
      if (decision.action === "replace") this.#replaced.add(address);
      this.#total++;
      this.#left.set(host, (this.#left.get(host) ?? new Set()).add(address));
    }
  }

  event(event: Event): void {
    switch (event.kind) {
      case "refresh_start":
        this.#reading++;
        this.#begun ??= event.at;
        this.#countUnread(event.subject, 1);
        return;
      case "refresh_complete":
        this.#read++;
        this.#countUnread(event.subject, -1);
        return;
      case "apply_start":
        if (this.#running.size === 0 && this.#done === 0) this.#begun = event.at;
        this.#running.set(event.subject.address, { subject: event.subject, at: event.at });
        return;
      case "apply_complete":
        this.#running.delete(event.subject.address);
        // Neither the first half of a replacement nor what it leaves is an end.
        if (event.deposed !== undefined) return;
        if (event.action !== "delete" || !this.#replaced.has(event.subject.address)) this.#end(event.subject);
        return;
      case "apply_errored":
      case "apply_skipped":
        this.#running.delete(event.subject.address);
        this.#failed.add(event.subject.host ?? "");
        this.#end(event.subject);
        return;
      case "diagnostic":
        return;
    }
  }

  #countUnread({ host }: EventSubject, more: 1 | -1): void {
    if (host === undefined) return;
    const count = (this.#unread.get(host) ?? 0) + more;
    if (count > 0) this.#unread.set(host, count);
    else this.#unread.delete(host);
  }

  #end({ address, host = "" }: EventSubject): void {
    if (this.#left.get(host)?.delete(address)) this.#done++;
  }

  /**
   * The lines of a moment; none while nothing is going on.
   *
   * @param now milliseconds, as the events have them
   */
  lines(now: number, width: number, colors: Colors): readonly string[] {
    const elapsed = this.#begun === undefined ? 0 : now - this.#begun;
    if (this.#total === 0) {
      if (this.#reading === this.#read) return [];
      const text = `Reading the hosts: ${this.#read} of ${this.#reading} done, ${seconds(elapsed)}${this.#waitedFor(elapsed)}`;
      return [fitting(text, width)];
    }
    if (this.#running.size === 0) return [];
    const hosts = [...this.#left];
    const done = hosts.filter(([host, left]) => left.size === 0 && !this.#failed.has(host)).length;
    const busy = new Set([...this.#running.values()].map(({ subject }) => subject.host));
    const failed = this.#failed.size === 0 ? "" : `, ${this.#failed.size} failed`;
    const heading = `Hosts: ${done} done, ${busy.size} running${failed} of ${hosts.length}; steps: ${this.#done} of ${this.#total}; ${seconds(elapsed)}${this.#rest(elapsed)}`;
    const running = [...this.#running.values()].sort((a, b) => a.at - b.at);
    const more = running.length - mostLines;
    return [
      // Coloured when it is cut: a line that wraps is two, and one of them would stay.
      fitting(heading, width)
        .replace(/^Hosts:/, colors.bold)
        .replace(/\d+ failed/, colors.red),
      ...running.slice(0, mostLines).map(({ subject, at }) => fitting(runningText(subject, now - at), width)),
      ...(more > 0 ? [fitting(`  and ${more} more`, width)] : []),
    ];
  }

  /** Which hosts keep everybody waiting. */
  #waitedFor(elapsed: number): string {
    if (this.#unread.size === 0 || elapsed < settled) return "";
    return visible(`; waiting for ${listed([...this.#unread.keys()])}`);
  }

  #rest(elapsed: number): string {
    if (this.#done === 0 || elapsed < settled) return "";
    return `, about ${seconds((elapsed / this.#done) * (this.#total - this.#done))} left`;
  }
}

function runningText(
  { host, role, member, address }: EventSubject & { role?: string },
  elapsed: number,
): string {
  const what = member === undefined ? address : `${role ?? "step"} ${member}`;
  return visible(`  ${host === undefined ? "" : `${host}: `}${what} ${seconds(elapsed)}`);
}

function fitting(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${graphemes(text)
    .slice(0, Math.max(1, width - 1))
    .join("")}…`;
}
