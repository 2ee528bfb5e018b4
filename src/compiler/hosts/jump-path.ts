/**
 * @module How a compiled login reaches its host: jump hosts, a command, or `bastion` blocks, all from the innermost
 * block that sets any of them. Settings further out are another jump path, not a part of this one.
 */

import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import {
  hopSecretName,
  hopSecrets,
  hopSettings,
  type JumpPathSetting,
  jumpPathSettings,
} from "../../login/index.ts";
import { literalHops } from "../declare/bastions.ts";
import { type Builder, buildAt } from "../lower/build.ts";
import { isNullLiteral, literalKey } from "./literal.ts";

/** A setting as one block has it. */
export interface Candidate {
  readonly expression: Expression;
  /** Whether it cannot be null, so that later levels are not considered. */
  readonly certain: boolean;
  /** Whether it is written for this setting alone, so that errors in its value point to it. */
  readonly isWritten?: boolean;
  /** For `bastion`: the settings that its hops may have. */
  readonly hopNames?: ReadonlySet<string>;
}

/** The jump path that one block sets. Levels are ordered from the innermost outwards. */
export type JumpPathLevel = Readonly<Partial<Record<JumpPathSetting, Candidate>>>;

/** The jump hosts of a login. */
export interface JumpHosts {
  /** The jump hosts as written; undefined if several levels can set them. */
  readonly hops: readonly Expression[] | undefined;
  /** A tuple of objects, never null. */
  readonly list: Expression;
  readonly names: ReadonlySet<string>;
}

/** The levels that set something, up to the first that cannot be null. */
export function askedLevels(levels: readonly JumpPathLevel[]): readonly JumpPathLevel[] {
  const saying = levels.filter((level) => mentioned(level).length > 0);
  const end = saying.findIndex((level) => mentioned(level).some((name) => level[name]!.certain));
  return end === -1 ? saying : saying.slice(0, end + 1);
}

const mentioned = (level: JumpPathLevel): readonly JumpPathSetting[] =>
  jumpPathSettings.filter((name) => level[name] !== undefined);

/** Whether levels set different jump paths, so that only their values show which one counts. */
export const isMixed = (levels: readonly JumpPathLevel[]): boolean =>
  levels.length > 1 && new Set(levels.flatMap(mentioned)).size > 1;

/** `proxy_jump` or `proxy_command`, unless a level nearer sets another jump path; undefined when none sets it. */
export function mixedSetting(
  name: JumpPathSetting,
  levels: readonly JumpPathLevel[],
  build: Builder,
): Expression | undefined {
  if (levels.every((level) => level[name] === undefined)) return undefined;
  return firstOf(name, levels, build.nothing(), build);
}

export function jumpHostsOf(levels: readonly JumpPathLevel[], build: Builder): JumpHosts | undefined {
  const candidates = levels.flatMap((level) => level.bastion ?? []);
  const [only, second] = candidates;
  if (only === undefined) return undefined;
  const names = new Set(candidates.flatMap(({ hopNames }) => [...(hopNames ?? hopSettings)]));
  const hops = second === undefined && !isMixed(levels) ? literalHops(only.expression) : undefined;
  if (hops !== undefined) return { hops, list: only.expression, names };
  const none = build.tuple([]);
  const list =
    only.certain && second === undefined && !isMixed(levels)
      ? only.expression
      : firstOf("bastion", levels, none, build);
  return { hops: undefined, list, names };
}

function firstOf(
  name: JumpPathSetting,
  levels: readonly JumpPathLevel[],
  otherwise: Expression,
  build: Builder,
): Expression {
  const isCertain = levels.at(-1)?.[name]?.certain ?? false;
  const probed = probes(name, levels, otherwise, build);
  // An error in a host is reported for the host; here it counts as another host.
  const written = levels.map((level) => level[name]).find((candidate) => candidate?.isWritten);
  const here = written === undefined ? build : buildAt(written.expression);
  return here.call("try", ...probed, ...(isCertain ? [] : [otherwise]));
}

/**
 * One expression for each level, which fails if the level sets nothing. A comparison with null would make
 * a whole jump path sensitive when there is a secret in it.
 */
function probes(
  name: JumpPathSetting,
  levels: readonly JumpPathLevel[],
  otherwise: Expression,
  build: Builder,
): readonly Expression[] {
  return levels.flatMap((level, place) => {
    const own = level[name];
    // The last level is the only one left, so it needs no test.
    const isLast = place === levels.length - 1;
    const others = isLast ? [] : mentioned(level).filter((other) => other !== name);
    const another = (other: JumpPathSetting): Expression =>
      build.index(build.tuple([otherwise, probe(other, level[other]!, build)]), build.number(0));
    return [...(own === undefined ? [] : [probe(name, own, build)]), ...others.map(another)];
  });
}

const probe = (name: JumpPathSetting, { expression, certain }: Candidate, build: Builder): Expression =>
  certain
    ? expression
    : name === "bastion"
      ? build.forTuple({ valueName: "hop", collection: expression, value: build.path("hop") })
      : build.call("coalesce", expression);

/** The `bastion` blocks, with the settings that may stand in a resource. */
export function bastionBlocks(
  { hops, list, names }: JumpHosts,
  withSecrets: boolean,
  build: Builder,
): readonly Block[] {
  const settings = hopSettings.filter(
    (name) => names.has(name) && (withSecrets || !hopSecrets.includes(name)),
  );
  if (hops === undefined) return [dynamicBastion(list, settings, build)];
  return hops.map((hop) => {
    const set = new Map(itemsOf(hop));
    const items = settings.flatMap((name): Attribute[] => {
      const value = set.get(name);
      return value === undefined || isNullLiteral(value) ? [] : [build.attribute(name, value)];
    });
    return build.block("bastion", items);
  });
}

const itemsOf = (hop: Expression): readonly (readonly [string, Expression])[] =>
  hop.kind === "object" ? hop.items.map(({ key, value }) => [literalKey(key)!, value]) : [];

/** The number of hops is only known with the value. */
function dynamicBastion(list: Expression, settings: readonly string[], build: Builder): Block {
  const hop = build.path("bastion", "value");
  const items = settings.map((name) => {
    const value = build.attributeOf(hop, name);
    return build.attribute(name, name === "address" ? value : build.call("try", value, build.nothing()));
  });
  const block = build.block("dynamic", [build.attribute("for_each", list), build.block("content", items)]);
  const { file, start, end } = block;
  return { ...block, labels: [{ value: "bastion", quoted: true, file, start, end }] };
}

/** The hops' secrets as maps of strings for an entry of `circuit_logins`; empty where there can be none. */
export function hopSecretMaps({ hops, list, names }: JumpHosts, build: Builder): readonly Expression[] {
  const secrets = hopSecrets.filter((name) => names.has(name));
  if (hops === undefined) return secrets.map((name) => secretsByIndex(name, list, build));
  const items = hops.flatMap((hop, index) =>
    itemsOf(hop)
      .filter(([name, value]) => secrets.includes(name) && !isNullLiteral(value))
      .map(([name, value]) => ({ key: build.string(hopSecretName(index, name)), value })),
  );
  return items.length === 0 ? [] : [{ ...build.object({}), items }];
}

/** `{ for index, hop in list : "bastion/${index}/password" => try(hop.password, null) }` */
function secretsByIndex(name: string, list: Expression, build: Builder): Expression {
  const [before, after] = hopSecretName(0, name).split("0");
  return build.forObject({
    keyName: "index",
    valueName: "hop",
    collection: list,
    key: build.template(before!, build.path("index"), after!),
    value: build.call("try", build.attributeOf(build.path("hop"), name), build.nothing()),
  });
}
