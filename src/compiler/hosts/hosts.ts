/**
 * @module A circuit's `hosts` in one form: `{ web1 = { name, address, port, …, vars } }`, whatever the user wrote.
 *
 * What the text shows is normalised in the text, so that partly unknown values keep their known parts;
 * everything else goes through `try`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression, For, ObjectExpression } from "../../hcl/tree.ts";
import { hopSettings, hostNamePattern, secretSettings, sharedSshSettings } from "../../login/index.ts";
import { hopNamesIn, hopSecretsIn } from "../declare/bastions.ts";
import { type Builder, buildAt } from "../lower/build.ts";
import { visitExpression } from "../lower/rewrite.ts";
import { aboutHost, checkNames, type HostText, readHost, readHostObject } from "./host-text.ts";
import { isCertainString, isNeverNull, isNullLiteral, literalKey } from "./literal.ts";
import { elementShape, forValueShape, type NamedValues, shapeOf } from "./shapes.ts";
import type { Shape } from "./type-shapes.ts";

export interface NormalisedHosts {
  readonly expression: Expression;
  /** Login settings that any of the hosts may have, without the address. */
  readonly settings: ReadonlySet<string>;
  /** The settings that every host surely has. */
  readonly certain: ReadonlySet<string>;
  /** The login secrets in their settings that are written out. */
  readonly secrets: readonly Expression[];
  /** Settings that their bastions may have. */
  readonly hopNames: ReadonlySet<string>;
  /** The names of the hosts, if all of them are written out. */
  readonly names: readonly string[] | undefined;
}

export function normaliseHosts(hosts: Expression, values: NamedValues, report: Report): NormalisedHosts {
  if (hosts.kind === "parentheses") return normaliseHosts(hosts.inner, values, report);
  if (hosts.kind === "object") checkNames(hosts, report);
  return (
    fromObject(hosts, values, report) ??
    fromFor(hosts, values, report) ??
    fromAnything(hosts, elementShape(hosts, values))
  );
}

/** Hosts whose names and values are written out. Undefined when a value may be a string or an object. */
function fromObject(hosts: Expression, values: NamedValues, report: Report): NormalisedHosts | undefined {
  if (hosts.kind !== "object") return undefined;
  const isPlain = (value: Expression) => hasPlainShape(value, shapeOf(value, values));
  if (hosts.items.some((item) => !isPlain(item.value))) {
    // The others are checked all the same.
    for (const { key, value } of hosts.items) if (isPlain(value)) readHost(value, aboutHost(key, report));
    return undefined;
  }
  const read = hosts.items.map((item) => ({
    key: item.key,
    host: readHost(item.value, aboutHost(item.key, report)),
  }));
  const all = read.map(({ host }) => host.settings);
  const settings = sharedSshSettings.filter((name) => all.some((one) => one.has(name)));
  const haveGroups = read.some(({ host }) => host.groups !== undefined);
  const items = read.map(({ key, host }) => {
    const name = nameFromKey(key);
    return {
      key: literalKey(key) === undefined ? checkedName(key) : key,
      value: hostObject(name, host, settings, haveGroups),
    };
  });
  return {
    expression: { ...hosts, items },
    settings: new Set(settings),
    certain: certainSettings(settings, all),
    secrets: all.flatMap(secretsIn),
    hopNames: new Set(all.flatMap((one) => [...hopNamesIn(one.get("bastion"))])),
    names: literalNames(hosts),
  };
}

/** `{ for k, v in x : k => { address = … } }` */
function fromFor(hosts: Expression, values: NamedValues, report: Report): NormalisedHosts | undefined {
  if (hosts.kind !== "for" || hosts.key === undefined || hosts.grouped) return undefined;
  if (!hasPlainShape(hosts.value, forValueShape(hosts, values))) return undefined;
  const host = readHost(hosts.value, report);
  const settings = sharedSshSettings.filter((name) => host.settings.has(name));
  const expression: For = {
    ...hosts,
    key: checkedName(hosts.key),
    value: hostObject(hosts.key, host, settings, host.groups !== undefined),
  };
  return {
    expression,
    settings: new Set(settings),
    certain: certainSettings(settings, [host.settings]),
    secrets: secretsIn(host.settings),
    hopNames: hopNamesIn(host.settings.get("bastion")),
    names: undefined,
  };
}

/** Hosts whose form is only known when they are evaluated. @param shape what the text shows of all of them */
function fromAnything(hosts: Expression, shape: Shape | undefined): NormalisedHosts {
  const build = buildAt(hosts);
  const host = build.path("host");
  const optional = (name: string, otherwise: Expression) =>
    shape === undefined || shape.attributes.has(name)
      ? build.call("try", build.attributeOf(host, name), otherwise)
      : otherwise;
  const names = sharedSshSettings.filter((name) => shape?.attributes.has(name) ?? true);
  const expression = build.forObject({
    keyName: "name",
    valueName: "host",
    collection: hosts,
    key: checkedName(build.path("name")),
    value: build.object({
      name: build.path("name"),
      address: addressIn(host, shape, build),
      port: optional("port", build.nothing()),
      ...Object.fromEntries(names.map((name) => [name, optional(name, build.nothing())])),
      vars: optional("vars", build.object({})),
      ...(shape?.attributes.has("groups") === false
        ? {}
        : { groups: groupsIn(optional("groups", build.nothing())) }),
    }),
  });
  return {
    expression,
    settings: new Set(names),
    certain: new Set(),
    secrets: hosts.kind === "object" ? hosts.items.flatMap((item) => secretsInText(item.value)) : [],
    hopNames: new Set(names.includes("bastion") ? hopSettings : []),
    names: hosts.kind === "object" ? literalNames(hosts) : undefined,
  };
}

function addressIn(host: Expression, shape: Shape | undefined, build: Builder): Expression {
  const own = build.attributeOf(host, "address");
  if (shape === undefined) return build.call("try", own, build.call("tostring", host));
  if (shape.attributes.size === 0) return host;
  return shape.mayBeText ? build.call("try", own, build.call("tostring", host)) : own;
}

const secretsIn = (settings: ReadonlyMap<string, Expression>): readonly Expression[] => [
  ...secretSettings.flatMap((name) => {
    const value = settings.get(name);
    return value === undefined || isNullLiteral(value) ? [] : [value];
  }),
  ...hopSecretsIn(settings.get("bastion")),
];

/** For one host of several whose values are not all written out. */
const secretsInText = (value: Expression): readonly Expression[] =>
  value.kind === "object" && hasPlainShape(value)
    ? secretsIn(readHostObject(value, () => undefined).settings)
    : [];

function literalNames(hosts: ObjectExpression): readonly string[] | undefined {
  const names = hosts.items.map((item) => literalKey(item.key));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Whether the value is certainly a string, or an object with exactly the attributes in the text. */
const hasPlainShape = (value: Expression, shape?: Shape): boolean =>
  value.kind === "parentheses"
    ? hasPlainShape(value.inner, shape)
    : value.kind === "object"
      ? value.items.every((item) => literalKey(item.key) !== undefined)
      : isAddress(shape) ||
        isCertainString(value) ||
        value.kind === "number" ||
        value.kind === "keyword" ||
        value.kind === "tuple";

const isAddress = (shape: Shape | undefined): boolean =>
  shape?.mayBeText === true && shape.attributes.size === 0;

function hostObject(
  name: Expression,
  host: HostText,
  settings: readonly string[],
  haveGroups: boolean,
): Expression {
  const build = buildAt(host.address);
  const set = (setting: string) => host.settings.get(setting) ?? build.nothing();
  return build.object({
    name,
    address: host.address,
    port: set("port"),
    ...Object.fromEntries(settings.map((setting) => [setting, set(setting)])),
    vars: host.vars ?? build.object({}),
    ...(haveGroups ? { groups: host.groups === undefined ? build.tuple([]) : groupsIn(host.groups) } : {}),
  });
}

/** Null means no groups. What is no list or set is an error where it is used as one, and does not pass for no groups. */
function groupsIn(groups: Expression): Expression {
  const build = buildAt(groups);
  if (groups.kind === "tuple") return groups;
  if (isNullLiteral(groups)) return build.tuple([]);
  const all = build.forTuple({ valueName: "group", collection: groups, value: build.path("group") });
  return build.conditional(build.equal(groups, build.nothing()), build.tuple([]), all);
}

const certainSettings = (
  settings: readonly string[],
  hosts: readonly ReadonlyMap<string, Expression>[],
): ReadonlySet<string> =>
  new Set(
    settings.filter((name) =>
      hosts.every((host) => {
        const value = host.get(name);
        return value !== undefined && isNeverNull(value);
      }),
    ),
  );

/** The name as an expression: what a bare key means as a string. */
function nameFromKey(key: Expression): Expression {
  if (key.kind === "parentheses") return nameFromKey(key.inner);
  const text = literalKey(key);
  return text === undefined ? key : buildAt(key).string(text);
}

/** The name, or an evaluation error when it is not valid: it must not contain the separator of a step's own key. */
function checkedName(name: Expression): Expression {
  const build = buildAt(name);
  const inner = name.kind === "parentheses" ? name.inner : name;
  return build.call("regex", build.string(hostNamePattern), inner);
}

/** Names that only have a meaning in steps. */
export function checkHostsScope(hosts: Expression, report: Report): void {
  const roots = new Set(["each", "host", "step", "handler", "circuit"]);
  visitExpression(hosts, (node, hidden) => {
    if (node.kind !== "variable" || hidden.has(node.name) || !roots.has(node.name)) return;
    report(
      errorDiagnostic(
        `"${node.name}" cannot be used in hosts`,
        "It has a meaning only inside the steps and handlers, which are made for each of the hosts.",
        { range: node },
      ),
    );
  });
}
