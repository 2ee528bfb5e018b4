/**
 * @module Where inside a value something is: `network[0].name`, `environment["LOG_LEVEL"]`.
 */

/** One step into a value: an attribute of an object, an element by position, or an element by key. */
export type PathStep = { readonly attribute: string } | { readonly index: number } | { readonly key: string };

export type Path = readonly PathStep[];

/** `at("network", 0, { key: "x" })`: strings are attributes, numbers are positions. */
export function at(...steps: readonly (string | number | PathStep)[]): Path {
  return steps.map((step) =>
    typeof step === "string" ? { attribute: step } : typeof step === "number" ? { index: step } : step,
  );
}

/** The path as a person writes it in HCL. */
export function formatPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if ("attribute" in step) text += text === "" ? step.attribute : `.${step.attribute}`;
    else if ("index" in step) text += `[${step.index}]`;
    else text += `[${JSON.stringify(step.key)}]`;
  }
  return text;
}

/** Whether `path` is `ancestor` or lies inside it. */
export function within(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((step, i) => stepEquals(step, path[i]!));
}

/** Whether both paths have the same steps. */
export function pathEquals(a: Path, b: Path): boolean {
  return a.length === b.length && within(a, b);
}

function stepEquals(a: PathStep, b: PathStep): boolean {
  if ("attribute" in a) return "attribute" in b && a.attribute === b.attribute;
  if ("index" in a) return "index" in b && a.index === b.index;
  return "key" in b && a.key === b.key;
}
