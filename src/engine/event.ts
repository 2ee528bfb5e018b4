/**
 * @module The events of a run, as one ordered stream. Everything that is shown comes from it.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Action } from "../revision/decision.ts";

/** Identifies the instance that an event is about. */
export interface EventSubject {
  readonly address: string;
  readonly host: string | undefined;
  /** With its module, if it is in one: `web`, `module.a["x"].web`. */
  readonly circuit: string | undefined;
  readonly member: string | undefined;
}

/** Times are milliseconds of the process's monotonic clock. `id` is the object's, where it has one that may be shown. */
export type Event =
  | {
      readonly kind: "refresh_start" | "refresh_complete";
      readonly subject: EventSubject;
      readonly id?: string | undefined;
      readonly at: number;
    }
  | {
      readonly kind: "apply_start";
      readonly subject: EventSubject;
      readonly id?: string | undefined;
      readonly action: Exclude<Action, "none" | "replace">;
      /** Of an old object that a replacement left: which one of the instance. Absent: the instance itself. */
      readonly deposed?: string;
      /**
       * Of a delete: whether what the instance stands for is to stay on its host; `perhaps` where the plan was made by
       * somebody who did not say. Absent: no.
       */
      readonly kept?: true | "perhaps";
      /** For a handler: whether it runs. Absent: only if it is made. */
      readonly runs?: boolean;
      readonly at: number;
    }
  | {
      readonly kind: "apply_complete";
      readonly subject: EventSubject;
      readonly id?: string | undefined;
      readonly action: Exclude<Action, "none" | "replace">;
      /** Of an old object that a replacement left: which one of the instance. Absent: the instance itself. */
      readonly deposed?: string;
      /** Of a delete: whether what the instance stands for stays on its host. Absent: no. */
      readonly kept?: boolean;
      /** Of an update: whether nothing was left to be done once everything was known. Absent: no. */
      readonly unchanged?: boolean;
      /** For a handler: whether it runs. Absent: only if it is made. */
      readonly runs?: boolean;
      readonly at: number;
      readonly elapsed: number;
    }
  | {
      readonly kind: "apply_errored";
      readonly subject: EventSubject;
      readonly action: Exclude<Action, "none" | "replace">;
      /** Of an old object that a replacement left: which one of the instance. Absent: the instance itself. */
      readonly deposed?: string;
      readonly at: number;
      readonly elapsed: number;
    }
  /** Not done because something before it on this host, or something it refers to, failed. */
  | {
      readonly kind: "apply_skipped";
      readonly subject: EventSubject;
      readonly because: string;
      readonly at: number;
    }
  | { readonly kind: "diagnostic"; readonly diagnostic: Diagnostic; readonly at: number };

export type EventSink = (event: Event) => void;
