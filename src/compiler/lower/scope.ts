/**
 * @module The meaning of names in the different parts of a circuit, as expressions of plain OpenTofu.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, StepDeclaration } from "../declare/declaration.ts";
import type { Builder } from "./build.ts";

/** The error for a name without a meaning where it is written. */
export interface Meaningless {
  readonly summary: string;
  readonly detail: string;
}

export interface EachMeaning {
  readonly key: (build: Builder) => Expression;
  readonly value: (build: Builder) => Expression;
}

/** The circuit with the expressions whose names are resolved. */
export interface Scope {
  readonly circuit: CircuitDeclaration;
  /** For messages: `step "config"`. */
  readonly where: string;
  /** Steps that may be referred to: the earlier ones. */
  readonly steps: ReadonlyMap<string, StepDeclaration>;
  /** The root name in {@link host} and {@link hostName}. */
  readonly carrier: "each" | "host" | typeof foreignHost;
  /** The instance's host: `{ name, address, port, …, vars }`. */
  readonly host: (build: Builder) => Expression;
  /** The name of the instance's host. */
  readonly hostName: (build: Builder) => Expression;
  readonly each: EachMeaning | Meaningless;
  /** The resource with the facts of the hosts, by their names. */
  readonly facts: ((build: Builder) => Expression) | Meaningless;
}

/** Name of the variable for a host in generated expressions: no user can choose it. */
export const foreignHost = "conn3x_host";

type ScopeBase = Pick<Scope, "circuit" | "where" | "steps" | "facts">;

/** The scope of what has one instance for each host. */
export function hostScope(base: ScopeBase): Scope {
  const host = (build: Builder) => build.path("each", "value");
  const hostName = (build: Builder) => build.path("each", "key");
  return { ...base, carrier: "each", host, hostName, each: { key: hostName, value: host } };
}

/** The scope of a step whose instances have the keys `HOST/KEY`: `each.value` is `{ host, key, value }`. */
export const pairScope = (base: ScopeBase): Scope => ({
  ...base,
  carrier: "each",
  host: (build) => build.path("each", "value", "host"),
  hostName: (build) => build.path("each", "value", "host", "name"),
  each: {
    key: (build) => build.path("each", "value", "key"),
    value: (build) => build.path("each", "value", "value"),
  },
});

const hostVariable = {
  carrier: "host",
  host: (build: Builder) => build.path("host"),
  hostName: (build: Builder) => build.path("host", "name"),
} as const;

/** The scope of a step's `for_each`: it is compiled into a `for` over the hosts with the variable `host`. */
export const forEachScope = (base: ScopeBase): Scope => ({
  ...base,
  ...hostVariable,
  each: {
    summary: '"each" cannot be used in for_each',
    detail: "for_each makes what each stands for. The host it is made for is host.",
  },
});

/**
 * The scope of a host's login secrets. They go to the provider's configuration, which exists before any resource, for each
 * host with the variable `host`.
 */
export const secretScope = (base: Pick<ScopeBase, "circuit" | "where">, ownKeys: boolean): Scope => ({
  ...base,
  ...hostVariable,
  steps: new Map(),
  each: ownKeys
    ? {
        summary: '"each" cannot be used in a login secret here',
        detail:
          "A step logs in to a host in one way, whatever its for_each says. The host it is made for is host.",
      }
    : { key: hostVariable.hostName, value: hostVariable.host },
  facts: {
    summary: '"host.facts" cannot be used to log in',
    detail: "Facts are found after logging in. What is known of a host beforehand goes into its vars.",
  },
});

/** The scope of a circuit's settings that are compiled into its members: `each` is the host, whatever it is in the member. */
export const circuitScope = (member: Scope): Scope => ({
  ...member,
  where: "the circuit",
  steps: new Map(),
  each: { key: member.hostName, value: member.host },
  facts: {
    summary: '"host.facts" cannot be used to log in',
    detail: "Facts are found after logging in. What is known of a host beforehand goes into its vars.",
  },
});
