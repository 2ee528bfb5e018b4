/**
 * @module Settings that only the embedded engine acts on. OpenTofu and Terraform choose their own order for the
 * compiled resources, and nothing in those can change it.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Circuit, Configuration, Removed, Resource } from "../model.ts";

/** A warning for each circuit and each step with settings that have no effect after compiling. */
export const embeddedOnly = ({ circuits, resources, removed }: Configuration): readonly Diagnostic[] => [
  ...circuits.flatMap(ofCircuit),
  ...circuits.flatMap(ofMoves),
  ...resources.flatMap(ofStep),
  ...removed.flatMap(ofRemoved),
];

/** The same for what has no effect with `conn3x -engine` either, which rolls out and forgets gone hosts by itself. */
export const noEffectWithEngines = ({
  circuits,
  resources,
}: Pick<Configuration, "circuits" | "resources">): readonly Diagnostic[] => [
  ...circuits.flatMap((circuit) => ofCircuit({ ...circuit, rollout: undefined, onHostGone: "fail" })),
  ...circuits.flatMap(ofMoves),
  ...resources.flatMap(ofStep),
];

function ofCircuit({ name, range, rollout, order, onHostGone }: Circuit): readonly Diagnostic[] {
  const settings = [
    ...(rollout === undefined ? [] : ["rollout"]),
    ...(order === "host" ? ["order"] : []),
    ...(onHostGone === "forget" ? ["on_host_gone"] : []),
  ];
  // Other engines always stop, so on_failure = "stop" has no effect there.
  return noEffect(`Circuit "${name}"`, settings, range);
}

/** OpenTofu can move a step's own keys only if they are literals. */
const ofMoves = ({ moved }: Circuit): readonly Diagnostic[] =>
  moved.flatMap(({ from, hosts, range }) => {
    if (hosts === undefined) return [];
    const { type, name } = from.resource!;
    return warningDiagnostic(
      "OpenTofu moves a part of a renamed host only",
      `What ${type}.${name} made on ${hosts.from} has keys that are known only when its for_each is evaluated: plain OpenTofu and Terraform destroy it and make it again. Add a moved block for each: from = ${type}.${name}["${hosts.from}/KEY"].`,
      { range },
    );
  });

function ofRemoved({ from: { modules, resource }, range }: Removed): readonly Diagnostic[] {
  if (resource?.key === undefined && modules.every(({ key }) => key === undefined)) return [];
  const detail =
    "Plain OpenTofu and Terraform remove whole resources and modules so, and take this block for an error. An instance is removed by taking it out of its for_each or count.";
  return [warningDiagnostic("OpenTofu removes no single instances", detail, { range })];
}

function ofStep({ address, origin, range }: Resource): readonly Diagnostic[] {
  const settings = [
    ...(origin?.retries === undefined ? [] : ["retries"]),
    ...(origin?.ignoreErrors === undefined ? [] : ["ignore_errors"]),
  ];
  return noEffect(address, settings, range);
}

const noEffect = (
  what: string,
  settings: readonly string[],
  range: Circuit["range"],
): readonly Diagnostic[] =>
  settings.length === 0
    ? []
    : [
        warningDiagnostic(
          `${settings.join(" and ")} ${settings.length === 1 ? "has" : "have"} no effect with OpenTofu`,
          `${what} sets ${settings.join(" and ")}, which the embedded engine acts on. Plain OpenTofu and Terraform do not know of it.`,
          { range },
        ),
      ];
