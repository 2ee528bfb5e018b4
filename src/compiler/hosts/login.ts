/**
 * @module The `ssh` block of a compiled resource.
 *
 * Each setting on its own comes from the innermost block that sets it: the step or handler, the host, the circuit.
 * What none of them sets is left out, and the provider's defaults apply.
 */

import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import { hopSecrets, isJumpPathSetting, type JumpPathSetting, jumpPathSettings } from "../../login/index.ts";
import { hopNamesIn } from "../declare/bastions.ts";
import type { SshDeclaration } from "../declare/declaration.ts";
import { type Builder, buildAt } from "../lower/build.ts";
import { resolveExpression } from "../lower/resolve.ts";
import { circuitScope, type Scope } from "../lower/scope.ts";
import type { NormalisedHosts } from "./hosts.ts";
import {
  askedLevels,
  bastionBlocks,
  type Candidate,
  isMixed,
  type JumpHosts,
  type JumpPathLevel,
  jumpHostsOf,
  mixedSetting,
} from "./jump-path.ts";
import { isNeverNull, isNullLiteral } from "./literal.ts";

export interface LoginSources {
  readonly member: SshDeclaration | undefined;
  /** Undefined for settings that are the same for all hosts. */
  readonly host: LoginHost | undefined;
  readonly circuit: SshDeclaration | undefined;
}

/** The part of a login that is in the resource itself. */
export interface LoginPlacement {
  readonly settings: readonly string[];
  /** Name of the entry of `circuit_logins` with the rest. */
  readonly login: Expression | undefined;
}

/** The host that is logged in to. */
export interface LoginHost {
  readonly address: (build: Builder) => Expression;
  /** What the host itself sets for a setting. */
  readonly setting: (name: string, build: Builder) => Candidate | undefined;
}

/**
 * @param origin gives the block its range
 * @param report receives errors in the member's own settings; {@link checkCircuitLogin} checks the circuit's, once
 */
export function loginBlock(
  sources: LoginSources,
  { settings, login }: LoginPlacement,
  scope: Scope,
  origin: SourceRange,
  report: Report,
): Block {
  const build = buildAt(origin);
  const address = sources.host?.address(build) ?? build.nothing();
  const items: Attribute[] = [build.attribute("address", address)];
  const levels = askedLevels(jumpPathLevels(sources, scope, build, report));
  const ofJumpPath = (name: JumpPathSetting) =>
    isMixed(levels) ? mixedSetting(name, levels, build) : innermost(candidatesFor(name, levels), build);
  for (const name of settings) {
    if (name === "bastion") continue;
    const value = isJumpPathSetting(name)
      ? ofJumpPath(name)
      : loginSetting(name, sources, scope, build, report);
    if (value !== undefined) items.push(build.attribute(name, value));
  }
  if (login !== undefined) items.push(build.attribute("login", login));
  const jumpHosts = jumpHostsOf(levels, build);
  const withSecrets = hopSecrets.some((name) => settings.includes(name));
  return build.block("ssh", [
    ...items,
    ...(jumpHosts === undefined ? [] : bastionBlocks(jumpHosts, withSecrets, build)),
  ]);
}

const candidatesFor = (name: JumpPathSetting, levels: readonly JumpPathLevel[]): readonly Candidate[] =>
  levels.flatMap((level) => level[name] ?? []);

/** The jump hosts; undefined when no block can name any. */
export function loginJumpHosts(sources: LoginSources, scope: Scope, build: Builder): JumpHosts | undefined {
  // Errors in it are reported where the resources are made.
  return jumpHostsOf(askedLevels(jumpPathLevels(sources, scope, build, () => undefined)), build);
}

function jumpPathLevels(
  { member, host, circuit }: LoginSources,
  scope: Scope,
  build: Builder,
  report: Report,
): readonly JumpPathLevel[] {
  const level = (candidate: (name: JumpPathSetting) => Candidate | undefined): JumpPathLevel =>
    Object.fromEntries(
      jumpPathSettings.flatMap((name) => {
        const found = candidate(name);
        return found === undefined ? [] : [[name, found]];
      }),
    );
  return [
    level((name) => declared(member, name, scope, report)),
    level((name) => host?.setting(name, build)),
    level((name) => declared(circuit, name, circuitScope(scope), () => undefined)),
  ];
}

/** One setting from the innermost block that sets it; undefined when none does. */
export function loginSetting(
  name: string,
  { member, host, circuit }: LoginSources,
  scope: Scope,
  build: Builder,
  report: Report,
): Expression | undefined {
  const candidates = [
    declared(member, name, scope, report),
    host?.setting(name, build),
    declared(circuit, name, circuitScope(scope), () => undefined),
  ];
  return innermost(
    candidates.filter((candidate) => candidate !== undefined),
    build,
  );
}

/** Reports references in a circuit's own login settings that are not valid there. */
export function checkCircuitLogin(
  ssh: SshDeclaration | undefined,
  { settings }: LoginPlacement,
  scope: Scope,
  report: Report,
): void {
  if (ssh === undefined) return;
  const expressions =
    ssh.form === "object"
      ? [ssh.object]
      : [...ssh.settings].flatMap(([name, value]) => (settings.includes(name) ? [value] : []));
  for (const expression of expressions) resolveExpression(expression, circuitScope(scope), report);
}

function declared(
  ssh: SshDeclaration | undefined,
  name: string,
  scope: Scope,
  report: Report,
): Candidate | undefined {
  if (ssh === undefined) return undefined;
  if (ssh.form === "object") {
    const build = buildAt(ssh.object);
    if (ssh.attributes?.has(name) === false) return undefined;
    const object = resolveExpression(ssh.object, scope, report);
    return {
      expression: build.call("try", build.attributeOf(object, name), build.nothing()),
      certain: false,
    };
  }
  const expression = ssh.settings.get(name);
  if (expression === undefined || isNullLiteral(expression)) return undefined;
  return {
    expression: resolveExpression(expression, scope, report),
    certain: isNeverNull(expression),
    isWritten: true,
    hopNames: hopNamesIn(expression),
  };
}

/** The login of one of the circuit's hosts. @param host gives the host as an expression */
export const hostLogin = (hosts: NormalisedHosts, host: (build: Builder) => Expression): LoginHost => ({
  address: (build) => build.attributeOf(host(build), "address"),
  setting: (name, build) =>
    hosts.settings.has(name)
      ? {
          expression: build.attributeOf(host(build), name),
          certain: hosts.certain.has(name),
          hopNames: hosts.hopNames,
        }
      : undefined,
});

/** The first that is not null; null when all are. */
function innermost(candidates: readonly Candidate[], build: Builder): Expression | undefined {
  const end = candidates.findIndex((candidate) => candidate.certain);
  const asked = end === -1 ? candidates : candidates.slice(0, end + 1);
  const [first, second] = asked;
  if (second === undefined) return first?.expression;
  // An error in a host is reported for the host; here it counts as another host.
  const written = asked.find(({ isWritten }) => isWritten)?.expression;
  const here = written === undefined ? build : buildAt(written);
  const chosen = here.call("coalesce", ...asked.map((candidate) => candidate.expression));
  return end === -1 ? here.call("try", chosen, here.nothing()) : chosen;
}
