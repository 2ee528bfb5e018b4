/**
 * @module A circuit as written: its parts found and named, nothing rewritten yet.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import type { Kind } from "../../resources/kind.ts";
import type { Circuit, Retries } from "../model.ts";

/** What the compiler needs to know about a kind. */
export type KindDeclaration = Pick<Kind, "role" | "name" | "type" | "schema">;

/** Kinds by resource type. */
export type KindRegistry = ReadonlyMap<string, KindDeclaration>;

export interface CircuitDeclaration {
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly block: Block;
  /** Undefined when it is missing, which was reported. */
  readonly hosts: Expression | undefined;
  readonly ssh: SshDeclaration | undefined;
  /** Elements of `depends_on`. */
  readonly dependsOn: readonly Expression[];
  readonly fleet: FleetSettings;
  readonly moves: readonly CircuitMove[];
  /** In order of execution. */
  readonly steps: readonly StepDeclaration[];
  readonly handlers: readonly HandlerDeclaration[];
}

/** How the circuit goes through its hosts. */
export type FleetSettings = Pick<Circuit, "rollout" | "order" | "onFailure" | "onHostGone">;

/** `moved` in a circuit. */
export type CircuitMove = MemberMove | HostMove | NameMove;

/** A renamed step or handler. */
export interface MemberMove {
  readonly of: "member";
  readonly from: MemberName;
  readonly to: MemberName;
  readonly block: Block;
}

/** A renamed host. */
export interface HostMove {
  readonly of: "host";
  readonly from: string;
  readonly to: string;
  readonly block: Block;
}

/** The circuit itself was renamed. */
export interface NameMove {
  readonly of: "circuit";
  readonly from: string;
  readonly to: string;
  readonly fromRange: SourceRange;
  readonly toRange: SourceRange;
  readonly block: Block;
}

export interface MemberName {
  readonly role: "step" | "handler";
  readonly name: string;
  readonly range: SourceRange;
}

/** `ssh { … }`, or `ssh = expression` with an object of the same settings. */
export type SshDeclaration =
  | {
      readonly form: "block";
      readonly range: SourceRange;
      readonly settings: ReadonlyMap<string, Expression>;
    }
  | {
      readonly form: "object";
      readonly range: SourceRange;
      readonly object: Expression;
      /** The settings that the object may have, where that is known. */
      readonly attributes?: ReadonlySet<string> | undefined;
    };

interface MemberDeclaration {
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly block: Block;
  /** Undefined when there is none, or more than one, or an unknown one, which was reported. */
  readonly kind: KindDeclaration | undefined;
  /** The block of the kind, with its settings. */
  readonly settings: Block | undefined;
  readonly ssh: SshDeclaration | undefined;
}

export interface StepDeclaration extends MemberDeclaration {
  readonly forEach: Expression | undefined;
  readonly when: Attribute | undefined;
  /** Whether it runs on the circuit's first host only. */
  readonly runOnce: boolean;
  /** Name or login of the host that it runs on, if that is not the instance's own. */
  readonly runOn: Expression | undefined;
  readonly drift: Block | undefined;
  readonly retries: Retries | undefined;
  readonly ignoreErrors: Expression | undefined;
  readonly notify: readonly Notification[];
  readonly onRemove: Attribute | undefined;
  /** Elements of `depends_on`. */
  readonly dependsOn: readonly Expression[];
  readonly lifecycle: Block | undefined;
}

export type HandlerDeclaration = MemberDeclaration;

/** One element of `notify`. */
export interface Notification {
  readonly handler: string;
  readonly range: SourceRange;
  /** Where the same list names it again. */
  readonly again: readonly SourceRange[];
}
