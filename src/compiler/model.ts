/**
 * @module What a configuration directory means after compiling: resources and the values they refer to, as syntax
 * trees. The emitters print it; the embedded engine evaluates it.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { Comment } from "../hcl/parse/parse.ts";
import type { Block, Body, Expression } from "../hcl/tree.ts";

export interface Configuration {
  /** The directory as the user named it; `path.module` of the root module. */
  readonly directory: string;
  readonly files: readonly SourceFile[];
  /** The same files, parsed: the emitters copy from them what is not compiled. */
  readonly sources: readonly ParsedFile[];
  readonly circuits: readonly Circuit[];
  /** Compiled and hand-written `conn3x_*` resources, in source order. Other providers' are in `foreign`. */
  readonly resources: readonly Resource[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly locals: ReadonlyMap<string, NamedExpression>;
  readonly outputs: ReadonlyMap<string, Output>;
  /** `module` blocks, by name. */
  readonly modules: ReadonlyMap<string, ModuleCall>;
  /** Moves from blocks of the configuration and of its circuits. */
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  readonly imports: readonly Import[];
  readonly checks: readonly Check[];
  /** Where its state is kept. Absent: in a file beside it. */
  readonly backend?: Backend | undefined;
  /** `provider "conn3x"` blocks, with what circuits add to them. */
  readonly providers: readonly Block[];
  /** What circuits add to the provider's configuration: the login secrets of their hosts, by `CIRCUIT/HOST`. */
  readonly circuitLogins?: Expression | undefined;
  /** Blocks that the embedded engine does not support, each with the reason. `-engine=tofu` supports them. */
  readonly foreign: readonly { readonly block: Block; readonly why: string }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a file could not be read or understood: the configuration may have more than what is here. */
  readonly incomplete: boolean;
  /** Ranges, also in its modules, that were not understood after syntax errors: nothing more is reported about them. */
  readonly gaps?: readonly SourceRange[];
  /** Declarations that were not understood, which was reported. Absent: none. */
  readonly lost?: Lost;
}

export interface Lost {
  /** What blocks with unknown names would declare. */
  readonly blocks: ReadonlySet<LostBlock>;
  /** Names of resources, of any type, that members of circuits would become, or that may lack something. */
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
  /** As written: addresses, or objects with settings. The local value has them in a uniform form. */
  readonly hosts: Expression;
  /** In order of execution. */
  readonly steps: readonly CircuitMember[];
  readonly handlers: readonly CircuitMember[];
  /** Address of the resource with the facts of its hosts, if a member uses them: `conn3x_facts.web__facts`. */
  readonly facts: string | undefined;
  /** Its own `moved` blocks; they are also among those of the configuration. */
  readonly moved: readonly Moved[];
  readonly rollout: Rollout | undefined;
  /** `step` (default): a step starts when the one before it has finished on every host. `host`: hosts do not wait for each other. */
  readonly order: "step" | "host";
  /** What a failure stops: the later instances of its host (`host`, the default), or everything (`stop`). */
  readonly onFailure: "host" | "stop";
  /** What happens to the instances of a host that was removed from `hosts` and does not answer. */
  readonly onHostGone: "fail" | "forget";
}

/** How many hosts go first. */
export interface Rollout {
  /** A number of hosts, a percentage of them (`"25%"`), or a list of either, one for each batch. */
  readonly batch: Expression | undefined;
  /** How many hosts may fail before the rollout stops: a number or a percentage. */
  readonly maxFailures: Expression | undefined;
  /** Duration between batches: `"30s"`. */
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
  /** Addresses of resources in `depends_on` (`conn3x_file.web__a`), without what expressions refer to. */
  readonly dependsOn: readonly string[];
  /** By address, where those are written that come from a circuit's or step's own `depends_on`. */
  readonly dependsOnRanges?: ReadonlyMap<string, SourceRange>;
  /** `lifecycle` block, when there is one. */
  readonly lifecycle: Body | undefined;
  /** The member of a circuit that it was compiled from; undefined for a resource block. */
  readonly origin: ResourceOrigin | undefined;
  /** The range for diagnostics about the whole resource. */
  readonly range: SourceRange;
}

export interface ResourceOrigin {
  readonly circuit: string;
  readonly member: string;
  readonly role: "step" | "handler";
  readonly kind: string;
  /**
   * Whether the step has a `for_each` of its own. Keys are `HOST/KEY` then, and `each.value` has the host and the own key of
   * an instance: `{ host, key, value }`. Otherwise a key is the host's name.
   */
  readonly ownKeys: boolean;
  /** Whether it runs on the circuit's first host only. */
  readonly runOnce?: boolean;
  /** The other host that it runs on: its name in the circuit, or a login of its own. */
  readonly runOn?: Expression | undefined;
  readonly retries?: Retries | undefined;
  /** Whether later steps run although it failed. Absent: they do not. */
  readonly ignoreErrors?: Expression | undefined;
}

export interface Retries {
  /** Number of attempts, including the first. */
  readonly attempts: Expression | undefined;
  /** Duration between attempts: `"10s"`. */
  readonly interval: Expression | undefined;
}

/** A `module` block. */
export interface ModuleCall {
  readonly name: string;
  /** The source as written; undefined unless it is a string without `${…}`. */
  readonly source: string | undefined;
  /** The compiled directory that `source` names; undefined for a source that is not local. */
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
  readonly modules: readonly { readonly name: string; readonly key: InstanceKey }[];
  /** Undefined for the address of a module. */
  readonly resource: { readonly type: string; readonly name: string; readonly key: InstanceKey } | undefined;
}

/** Undefined: all instances, or the only one. */
export type InstanceKey = string | number | undefined;

export interface Moved {
  readonly from: Address;
  readonly to: Address;
  /** Only the instances on a renamed host, whatever their own keys are. */
  readonly hosts?: { readonly from: string; readonly to: string };
  readonly range: SourceRange;
}

export interface Removed {
  readonly from: Address;
  /** Whether the objects are removed from their hosts; otherwise they are only forgotten. */
  readonly destroy: boolean;
  readonly range: SourceRange;
}

export interface Import {
  /** The target address. Its last key may be any expression. */
  readonly to: Expression;
  readonly id: Expression;
  readonly forEach: Expression | undefined;
  readonly range: SourceRange;
}

/** A `check` block: conditions that are tested after everything else. One that fails is a warning. */
export interface Check {
  readonly name: string;
  readonly assertions: readonly Condition[];
  readonly range: SourceRange;
}

/** A condition that must hold, with its error message. */
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
  /** Whether its value is never stored: neither in a state nor in a plan. */
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  readonly validations: readonly Condition[];
  readonly range: SourceRange;
}

export interface Output extends NamedExpression {
  readonly description: string;
  readonly sensitive: boolean;
  /** Whether it may give what is never stored. Only outputs of modules may. */
  readonly ephemeral: boolean;
  /** Addresses named in `depends_on`. Absent: none. */
  readonly dependsOn?: readonly string[];
  /** Absent: none. */
  readonly preconditions?: readonly Condition[];
}
