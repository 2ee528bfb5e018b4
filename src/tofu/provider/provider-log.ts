/**
 * @module Remembers what the attached provider decided, could not read, and left on the hosts, since the plugin protocol
 * has no field for that.
 *
 * The protocol does not say which instance a call is about either. What is remembered is found again by the objects of
 * the call: instances for which they are equal are alike.
 */
import { type Holder, type Provider, type RealNames, wantedSettings } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type DecisionText, decisionText, textDecision } from "../../engine/index.ts";
import type { Decision, KeptBecause } from "../../revision/decision.ts";
import { isNull, type Value } from "../../values/value.ts";
import { valueKey } from "../../values/value-key.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { createSecretObjects } from "../plan/secret-objects.ts";

export interface ProviderLog {
  /** The provider, which is listened to from now on. */
  watch(provider: Provider): Provider;
  /**
   * @param prior the object that there was; null when there was none, and for one that is replaced whatever it is like
   * @param planned what it becomes; of a replacement what is made
   * @returns undefined when nothing was decided about such an object
   */
  decision(type: string, prior: Value, planned: Value): Decision | undefined;
  /** Whether its host was asked about the object, stored or to be made, and did not say. */
  wasUnread(type: string, object: Value): boolean;
  /** Whether the engine asked for it to be read at all. */
  wasRead(type: string, stored: Value): boolean;
  /** Whether that is what a read said: it is about the host rather than one of its instances. */
  isOfRead(diagnostic: Diagnostic): boolean;
  /** Whether the object was to be deleted and was left on its host. */
  wasKept(type: string, prior: Value): boolean;
  /** An object is not to be deleted from its host, whatever the engine says. */
  keep(type: string, prior: Value, because: KeptBecause): void;
  /** Why {@link keep} was called for it, if it was. */
  keeps(type: string, prior: Value): KeptBecause | undefined;
  /** An object's host is logged in to with this when it is deleted, instead of what is stored. */
  logIn(type: string, prior: Value, login: Value): void;
  /** What the host answers about an object is not shown: it holds what is sensitive beyond its schema. */
  holdBack(type: string, prior: Value, planned: Value): void;
  /** How what was planned is compared with other instances; undefined where nothing was planned like that. */
  wants(type: string, planned: Value): Wants | undefined;
  /** Whether something was planned of which not all is known before an apply. */
  hasUnknown(): boolean;
  /** What a plan is shown with, as JSON can hold it. */
  texts(): LogTexts;
}

/** See `Holder`. */
export type Wants = Pick<Holder, "wanted" | "realNames">;

export interface LogTexts {
  readonly decisions: readonly {
    readonly prior: string;
    readonly planned: string;
    readonly decision: DecisionText;
  }[];
  readonly unread: readonly string[];
  readonly read: readonly string[];
  readonly keeps: readonly (readonly [object: string, because: KeptBecause])[];
}

interface Entry {
  readonly planned: string;
  readonly decision: Decision;
}

const objectKey = (type: string, object: Value): string => `${type} ${valueKey(object)}`;

const words = ({ severity, summary, detail }: Diagnostic): string =>
  JSON.stringify([severity, summary, detail.trim()]);

/** @param remembered what another log gave as texts */
export function createProviderLog(
  remembered: LogTexts = { decisions: [], unread: [], read: [], keeps: [] },
): ProviderLog {
  const entries = new Map<string, Entry[]>();
  const unread = new Set(remembered.unread);
  const read = new Set(remembered.read);
  const kept = new Set<string>();
  const toKeep = new Map(remembered.keeps);
  const logins = new Map<string, Value>();
  const fromReads = new Set<string>();
  const secrets = createSecretObjects();
  const wants = new Map<string, Wants>();
  const realNames = new Map<string, RealNames>();
  let hasUnknown = false;
  const remember = (prior: string, entry: Entry): void => {
    const others = entries.get(prior);
    if (others === undefined) entries.set(prior, [entry]);
    else others.push(entry);
  };
  for (const { prior, planned, decision } of remembered.decisions)
    remember(prior, { planned, decision: textDecision(decision) });
  return {
    watch: (provider) => ({
      ...provider,
      async readResource(request) {
        const response = await provider.readResource(request);
        const key = objectKey(request.type, request.current);
        read.add(key);
        for (const diagnostic of response.diagnostics)
          if (diagnostic.attribute === undefined) fromReads.add(words(diagnostic));
        if (response.realNames !== undefined)
          realNames.set(objectKey(request.type, response.state), response.realNames);
        if (response.unread) unread.add(key);
        else unread.delete(key);
        return response;
      },
      async planResource(request) {
        const response = await provider.planResource(request);
        const prior = objectKey(request.type, request.prior);
        const schema = provider.schema.resources.get(request.type);
        if (schema !== undefined && !isNull(request.config)) {
          hasUnknown ||= !isWhollyKnown(request.config);
          const real = response.realNames ?? realNames.get(prior);
          wants.set(objectKey(request.type, response.planned), {
            wanted: wantedSettings(schema, request.config),
            ...(real === undefined ? {} : { realNames: real }),
          });
        }
        if (response.decision.action === "none") return response;
        remember(prior, {
          planned: valueKey(response.planned),
          decision: response.decision,
        });
        if (response.unseen) unread.add(objectKey(request.type, response.planned));
        return response;
      },
      async applyResource(request) {
        const key = objectKey(request.type, request.prior);
        if (isNull(request.planned) && toKeep.has(key)) {
          kept.add(key);
          return { state: request.planned, private: new Uint8Array(), diagnostics: [], kept: true };
        }
        const sensitive = secrets.has(request.type, request.prior, request.planned);
        const login = isNull(request.planned) ? logins.get(key) : undefined;
        const response = await provider.applyResource({
          ...request,
          ...(sensitive && { sensitive }),
          ...(login && { login }),
        });
        if (response.kept === true) kept.add(key);
        return response;
      },
    }),
    decision(type, prior, planned) {
      const found = entries.get(objectKey(type, prior)) ?? [];
      const key = valueKey(planned);
      const exact = found.findLast((entry) => entry.planned === key);
      // Of a replacement a second plan, made from nothing, is what the plan shows.
      return (exact ?? found.findLast(({ decision }) => decision.action === "replace"))?.decision;
    },
    wasUnread: (type, stored) => unread.has(objectKey(type, stored)),
    wasRead: (type, stored) => read.has(objectKey(type, stored)),
    isOfRead: (diagnostic) => fromReads.has(words(diagnostic)),
    wasKept: (type, prior) => kept.has(objectKey(type, prior)),
    keep: (type, prior, because) => void toKeep.set(objectKey(type, prior), because),
    keeps: (type, prior) => toKeep.get(objectKey(type, prior)),
    logIn: (type, prior, login) => void logins.set(objectKey(type, prior), login),
    holdBack: secrets.add,
    wants: (type, planned) => wants.get(objectKey(type, planned)),
    hasUnknown: () => hasUnknown,
    texts: () => ({
      decisions: [...entries].flatMap(([prior, found]) =>
        found.map(({ planned, decision }) => ({ prior, planned, decision: decisionText(decision) })),
      ),
      unread: [...unread],
      read: [...read],
      keeps: [...toKeep],
    }),
  };
}
