/**
 * @module What a configuration directory means after compiling: resources and the values they refer to, as syntax
 * trees. The emitters print it; the embedded engine evaluates it.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { Comment } from "../hcl/parse.ts";
import type { Block, Body, Expression } from "../hcl/tree.ts";

export interface Configuration {
  /** The directory as the user named it; `path.module` of the root module. */
  readonly directory: string;
  readonly files: readonly SourceFile[];
  /** The same files, parsed. What the emitters pass through is taken from here. */
  readonly sources: readonly ParsedFile[];
  readonly circuits: readonly Circuit[];
  /** Compiled and hand-written `conn3x_*` resources, in source order. Other providers' are in `foreign`. */
  readonly resources: readonly Resource[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly locals: ReadonlyMap<string, NamedExpression>;
  readonly outputs: ReadonlyMap<string, Output>;
  /** `module` blocks, by name. */
  readonly modules: ReadonlyMap<string, ModuleCall>;
  /** Also those of circuits. */
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  readonly imports: readonly Import[];
  readonly checks: readonly Check[];
  /** Where its state is kept. Absent: in a file beside it. */
  readonly backend?: Backend | undefined;
  /** `provider "conn3x"` blocks, with what circuits add to them. */
  readonly providers: readonly Block[];
  /** What circuits add to the provider's configuration: login secrets of their hosts, by `CIRCUIT/HOST`. */
  readonly circuitLogins?: Expression | undefined;
  /** Blocks that the embedded engine does not accept, each with why. `-engine=tofu` does. */
  readonly foreign: readonly { readonly block: Block; readonly why: string }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether some file could not be read or understood, so that there may be more than what is here. */
  readonly incomplete: boolean;
  /** Places, of its modules as well, that were not understood after syntax errors: what is wrong there is no error. */
  readonly gaps?: readonly SourceRange[];
  /** What is declared and was not understood, which was reported. Absent: nothing. */
  readonly lost?: Lost;
}

export interface Lost {
  /** What blocks would declare, of which it is not known what they are called. */
  readonly blocks: ReadonlySet<LostBlock>;
  /** Names of resources, of whatever type, that circuits' members would be, or of which parts may be missing. */
  readonly members: ReadonlySet<string>;
}

/** `anything` for a block of an unknown type. */
export type LostBlock = "variable" | "local" | "module" | "resource" | "anything";

export interface ParsedFile {
  readonly file: SourceFile;
  readonly body: Body;
  readonly comments: readonly Comment[];
}

export interface Circuit {
  readonly name: string;
  readonly range: SourceRange;
  /** As written: addresses, or objects with settings. The local value has them in one form. */
  readonly hosts: Expression;
  /** In order of execution. */
  readonly steps: readonly CircuitMember[];
  readonly handlers: readonly CircuitMember[];
  /** Address of the resource that holds what is found on its hosts, where some member asks for it: `conn3x_facts.web__facts`. */
  readonly facts: string | undefined;
  /** What its own `moved` blocks say; among the configuration's. */
  readonly moved: readonly Moved[];
  readonly rollout: Rollout | undefined;
  /** `step` (default): a step starts when the one before it is done on every host. `host`: each host goes on by itself. */
  readonly order: "step" | "host";
  /** What a failed instance stops: its host's later ones (`host`, the default), or everything (`stop`). */
  readonly onFailure: "host" | "stop";
  /** What becomes of the instances of a host that is no longer among `hosts` and does not answer. */
  readonly onHostGone: "fail" | "forget";
}

/** How many hosts go first. */
export interface Rollout {
  /** A number of hosts, a share of them (`"25%"`), or a list of these for one batch after the other. */
  readonly batch: Expression | undefined;
  /** How many hosts may fail before the rest is left alone; a number or a share. */
  readonly maxFailures: Expression | undefined;
  /** Time between batches: `"30s"`. */
  readonly pause: Expression | undefined;
}

export interface CircuitMember {
  readonly name: string;
  /** Kind of step: `file`; of handler: `service`. */
  readonly kind: string;
  /** `conn3x_file.web__config` */
  readonly resource: string;
  readonly range: SourceRange;
}

/** A `backend` block. Its type is whatever is written: each engine has backends of its own. */
export interface Backend {
  /** `http` */
  readonly type: string;
  readonly body: Body;
  /** The block's header. */
  readonly range: SourceRange;
}

/** One `resource` block. */
export interface Resource {
  /** `conn3x_file` */
  readonly type: string;
  /** `web__config` */
  readonly name: string;
  /** `conn3x_file.web__config` */
  readonly address: string;
  readonly forEach: Expression | undefined;
  readonly count: Expression | undefined;
  /** Arguments and nested blocks of the resource's schema, without meta-arguments. */
  readonly body: Body;
  /** Addresses of resources (`conn3x_file.web__a`) named in `depends_on`. What expressions refer to is not repeated here. */
  readonly dependsOn: readonly string[];
  /** Where those of them are written that stand in a circuit's or step's own `depends_on`, by address. */
  readonly dependsOnRanges?: ReadonlyMap<string, SourceRange>;
  /** `lifecycle` block, when there is one. */
  readonly lifecycle: Body | undefined;
  /** Where it came from, when a circuit made it. */
  readonly origin: ResourceOrigin | undefined;
  /** What a diagnostic about the whole resource points to. */
  readonly range: SourceRange;
}

export interface ResourceOrigin {
  readonly circuit: string;
  readonly member: string;
  readonly role: "step" | "handler";
  readonly kind: string;
  /** Whether the step has a `for_each` of its own: keys are `HOST/KEY`. */
  readonly ownKeys: boolean;
  /** Whether it runs on the circuit's first host only. */
  readonly runOnce?: boolean;
  /** Another host that it is done on: its name in the circuit, or a login of its own. */
  readonly runOn?: Expression | undefined;
  readonly retries?: Retries | undefined;
  /** Whether what comes after it goes on when it fails. Absent: no. */
  readonly ignoreErrors?: Expression | undefined;
}

export interface Retries {
  /** How often it is tried, the first time counted. */
  readonly attempts: Expression | undefined;
  /** Time between: `"10s"`. */
  readonly interval: Expression | undefined;
}

/** A `module` block. */
export interface ModuleCall {
  readonly name: string;
  /** As written; undefined when that is not a text without `${…}`. */
  readonly source: string | undefined;
  /** What the directory means that `source` names; undefined for a source that is not local. */
  readonly configuration: Configuration | undefined;
  readonly forEach: Expression | undefined;
  readonly count: Expression | undefined;
  /** Values for the module's variables, by name. */
  readonly inputs: ReadonlyMap<string, Expression>;
  /** Addresses named in `depends_on`. */
  readonly dependsOn: readonly string[];
  readonly range: SourceRange;
}

/** `module.a["x"].conn3x_file.web__config["web1"]`, or a module alone. */
export interface Address {
  readonly modules: readonly { readonly name: string; readonly key: AddressKey }[];
  /** Undefined where a module is meant. */
  readonly resource: { readonly type: string; readonly name: string; readonly key: AddressKey } | undefined;
}

/** Undefined: all instances, or the only one. */
export type AddressKey = string | number | undefined;

export interface Moved {
  readonly from: Address;
  readonly to: Address;
  /** Only the instances on a host that had another name, whatever their own keys are. */
  readonly hosts?: { readonly from: string; readonly to: string };
  readonly range: SourceRange;
}

export interface Removed {
  readonly from: Address;
  /** Whether the objects are removed from their hosts, and not only forgotten. */
  readonly destroy: boolean;
  readonly range: SourceRange;
}

export interface Import {
  /** Where it goes: an address whose last key may be any expression. */
  readonly to: Expression;
  readonly id: Expression;
  readonly forEach: Expression | undefined;
  readonly range: SourceRange;
}

/** A `check` block: conditions that should hold after everything else, and a warning where one does not. */
export interface Check {
  readonly name: string;
  readonly assertions: readonly Condition[];
  readonly range: SourceRange;
}

/** What must hold, and what is said where it does not. */
export interface Condition {
  readonly condition: Expression;
  readonly message: Expression;
  readonly range: SourceRange;
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: Expression;
  readonly range: SourceRange;
}

export interface Variable {
  readonly name: string;
  /** Type expression as written; undefined is `any`. */
  readonly type: Expression | undefined;
  readonly default: Expression | undefined;
  readonly description: string;
  readonly sensitive: boolean;
  readonly nullable: boolean;
  readonly validations: readonly Condition[];
  readonly range: SourceRange;
}

export interface Output extends NamedExpression {
  readonly description: string;
  readonly sensitive: boolean;
  /** Addresses named in `depends_on`. Absent: none. */
  readonly dependsOn?: readonly string[];
  /** Absent: none. */
  readonly preconditions?: readonly Condition[];
}
