/**
 * @module `run_on`: the other host that a step runs on, by its name in the circuit or as a login of its own.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import { literalKind } from "../check/literal-values.ts";
import { readHostObject } from "../hosts/host-text.ts";
import type { NormalisedHosts } from "../hosts/hosts.ts";
import { isCertainString, isNeverNull, isNullLiteral, literalKey, literalString } from "../hosts/literal.ts";
import { hostLogin, type LoginHost } from "../hosts/login.ts";
import { type Builder, buildAt } from "../lower/build.ts";
import { resolveExpression } from "../lower/resolve.ts";
import type { Scope } from "../lower/scope.ts";
import { hostsLocalName } from "../names.ts";
import { hopNamesIn } from "./bastions.ts";

export function runOnLogin(
  runOn: Expression,
  hosts: NormalisedHosts,
  scope: Scope,
  report: Report,
): LoginHost {
  if (runOn.kind === "parentheses") return runOnLogin(runOn.inner, hosts, scope, report);
  if (runOn.kind === "object" && runOn.items.every(({ key }) => literalKey(key) !== undefined)) {
    return ownLogin(runOn, scope, report);
  }
  const nowhere: LoginHost = { address: (build) => build.broken(), setting: () => undefined };
  const kind = literalKind(runOn);
  if (kind !== undefined && kind !== "a string" && kind !== "an object") {
    report(
      errorDiagnostic(
        `"run_on" is ${kind}`,
        'Name a host of the circuit, or write { address = "10.0.1.9" }. Without it the step is done on its own host.',
        { range: runOn },
      ),
    );
    return nowhere;
  }
  const text = literalString(runOn);
  if (text !== undefined && hosts.names !== undefined && !hosts.names.includes(text)) {
    report(
      errorDiagnostic(
        `Unknown host ${quoted(text)}`,
        `Circuit "${scope.circuit.name}" has no host of that name. ${suggestion(text, hosts.names)} A host that is not in the circuit is written as { address = "10.0.1.9" }.`,
        { range: runOn },
      ),
    );
    return nowhere;
  }
  const resolved = resolveExpression(runOn, scope, report);
  const all = (build: Builder) => build.path("local", hostsLocalName(scope.circuit.name));
  if (isCertainString(runOn)) return hostLogin(hosts, (build) => build.index(all(build), resolved));
  // A host's name, an object with an address, or null for the own host: only the value shows which.
  const here = buildAt(runOn);
  const named = here.index(all(here), here.call("coalesce", resolved, scope.hostName(here)));
  const either = here.call("try", named, resolved);
  return {
    address: (build) => build.attributeOf(either, "address"),
    setting: (name, build) => ({
      expression: build.call("try", build.attributeOf(either, name), build.nothing()),
      certain: false,
    }),
  };
}

function ownLogin(object: Expression & { readonly kind: "object" }, scope: Scope, report: Report): LoginHost {
  const { address, settings, vars, groups } = readHostObject(object, report);
  for (const [name, range] of Object.entries({ vars, groups })) {
    if (range === undefined) continue;
    report(
      errorDiagnostic(
        `"${name}" mean nothing in run_on`,
        "The step is about its own host: so are host and each.",
        { range },
      ),
    );
  }
  const resolve = (expression: Expression) => resolveExpression(expression, scope, report);
  const resolved = new Map([...settings].map(([name, expression]) => [name, resolve(expression)]));
  const where = resolve(address);
  return {
    address: () => where,
    setting: (name) => {
      const written = settings.get(name);
      return written === undefined || isNullLiteral(written)
        ? undefined
        : { expression: resolved.get(name)!, certain: isNeverNull(written), hopNames: hopNamesIn(written) };
    },
  };
}

/** `{ web1 = … }` with only the first host by name; empty without hosts. */
export function firstHost(hosts: Expression): Expression {
  const build = buildAt(hosts);
  const names = build.call("keys", hosts);
  const first = build.call(
    "slice",
    names,
    build.number(0),
    build.call("min", build.number(1), build.call("length", hosts)),
  );
  return build.forObject({
    valueName: "name",
    collection: first,
    key: build.path("name"),
    value: build.index(hosts, build.path("name")),
  });
}
