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
  /** `provider "conn3x"` blocks. */
  readonly providers: readonly Block[];
  /** Blocks that the embedded engine does not accept, each with why. `-engine=tofu` does. */
  readonly foreign: readonly { readonly block: Block; readonly why: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedFile {
  readonly file: SourceFile;
  readonly body: Body;
  readonly comments: readonly Comment[];
}

export interface Circuit {
  readonly name: string;
  readonly range: SourceRange;
  /** In order of execution. */
  readonly steps: readonly CircuitMember[];
  readonly handlers: readonly CircuitMember[];
}

export interface CircuitMember {
  readonly name: string;
  /** Kind of step: `file`; of handler: `service`. */
  readonly kind: string;
  /** `conn3x_file.web__config` */
  readonly resource: string;
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
  /** `lifecycle` block, when there is one. */
  readonly lifecycle: Body | undefined;
  /** Where it came from, when a circuit made it. `ownKeys`: the step has a `for_each` of its own (keys are `HOST/KEY`). */
  readonly origin:
    | {
        readonly circuit: string;
        readonly member: string;
        readonly role: "step" | "handler";
        readonly kind: string;
        readonly ownKeys: boolean;
      }
    | undefined;
  /** What a diagnostic about the whole resource points to. */
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
  readonly validations: readonly {
    readonly condition: Expression;
    readonly message: Expression;
    readonly range: SourceRange;
  }[];
  readonly range: SourceRange;
}

export interface Output extends NamedExpression {
  readonly description: string;
  readonly sensitive: boolean;
}
