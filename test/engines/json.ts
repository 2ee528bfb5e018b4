/**
 * @module As much of the engines' JSON output as tests look at (OpenTofu's documentation, "JSON Output Format").
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface PlanJson {
  readonly format_version: string;
  readonly resource_changes?: readonly ResourceChangeJson[];
  readonly resource_drift?: readonly ResourceChangeJson[];
}

export interface ResourceChangeJson {
  readonly address: string;
  readonly type: string;
  readonly action_reason?: string;
  readonly change: {
    /** `["no-op"]`, `["create"]`, `["update"]`, `["delete"]`, `["delete", "create"]` … */
    readonly actions: readonly string[];
    readonly before: JsonValue;
    readonly after: JsonValue;
    readonly after_unknown: JsonValue;
    readonly replace_paths?: readonly (readonly (string | number)[])[];
  };
}

export interface StateJson {
  readonly values?: {
    readonly root_module: ModuleJson;
    readonly outputs?: { readonly [name: string]: { readonly value: JsonValue } };
  };
}

interface ModuleJson {
  readonly resources?: readonly ResourceJson[];
  readonly child_modules?: readonly ModuleJson[];
}

export interface ResourceJson {
  readonly address: string;
  readonly type: string;
  readonly values: { readonly [name: string]: JsonValue };
  readonly tainted?: boolean;
  readonly depends_on?: readonly string[];
}

/** What a plan does to an address: its actions, joined by commas. Undefined when the plan does not name it. */
export function actionOf(plan: PlanJson | undefined, address: string): string | undefined {
  return plan?.resource_changes?.find((change) => change.address === address)?.change.actions.join(",");
}

/** A stored instance of the root module. */
export function instanceOf(state: StateJson, address: string): ResourceJson | undefined {
  return state.values?.root_module.resources?.find((resource) => resource.address === address);
}
