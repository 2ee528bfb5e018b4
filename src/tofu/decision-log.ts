/**
 * @module Remembers what the attached provider decided, since the plugin protocol has no place for reasons.
 *
 * The protocol does not say which instance a call is about either. A decision is found again by what it was made from
 * and what it led to: instances for which both are equal have the same reasons.
 */
import type { Provider } from "../core/provider.ts";
import type { Decision } from "../revision/decision.ts";
import type { Value } from "../values/value.ts";
import { valueKey } from "./value-key.ts";

export interface DecisionLog {
  /** The provider, whose decisions are remembered from now on. */
  watch(provider: Provider): Provider;
  /**
   * @param prior the object that there was; null when there was none, and for one that is replaced whatever it is like
   * @param planned what it becomes; of a replacement what is made
   * @returns undefined when nothing was decided about such an object
   */
  find(type: string, prior: Value, planned: Value): Decision | undefined;
}

interface Entry {
  readonly planned: string;
  readonly decision: Decision;
}

export function createDecisionLog(): DecisionLog {
  const entries = new Map<string, Entry[]>();
  return {
    watch: (provider) => ({
      ...provider,
      async planResource(request) {
        const response = await provider.planResource(request);
        if (response.decision.action === "none") return response;
        const place = `${request.type} ${valueKey(request.prior)}`;
        const entry = { planned: valueKey(response.planned), decision: response.decision };
        entries.set(place, [...(entries.get(place) ?? []), entry]);
        return response;
      },
    }),
    find(type, prior, planned) {
      const found = entries.get(`${type} ${valueKey(prior)}`) ?? [];
      const key = valueKey(planned);
      const exact = found.findLast((entry) => entry.planned === key);
      // Of a replacement a second plan, made from nothing, is what the plan shows.
      return (exact ?? found.findLast(({ decision }) => decision.action === "replace"))?.decision;
    },
  };
}
