/**
 * @module Login secrets of a circuit. They are moved from its resources, whose settings are stored, to the provider's
 * configuration, which is not.
 *
 * A module cannot configure the provider: there the secrets stay in the resources.
 */

import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression } from "../../hcl/tree.ts";
import {
  entryMember,
  entryName,
  entryNameText,
  hopSecrets,
  plainSettings,
  secretSettings,
  sharedSshSettings,
} from "../../login/index.ts";
import { isOurs, type LocalValues } from "../check/ours.ts";
import { hopNamesIn, hopSecretsIn } from "../declare/bastions.ts";
import type {
  CircuitDeclaration,
  HandlerDeclaration,
  SshDeclaration,
  StepDeclaration,
} from "../declare/declaration.ts";
import { runOnLogin } from "../declare/run-on.ts";
import { type Builder, buildAt } from "../lower/build.ts";
import { visitExpression } from "../lower/rewrite.ts";
import { type Scope, secretScope } from "../lower/scope.ts";
import { hostsLocalName } from "../names.ts";
import type { NormalisedHosts } from "./hosts.ts";
import { hopSecretMaps } from "./jump-path.ts";
import { isNullLiteral } from "./literal.ts";
import { hostLogin, type LoginPlacement, type LoginSources, loginJumpHosts, loginSetting } from "./login.ts";

type Member = StepDeclaration | HandlerDeclaration;

export interface CircuitSecrets {
  /** Expressions that each give a map of entries. */
  readonly entries: readonly Expression[];
  /** @param member undefined for the circuit's facts, which belong to no member */
  readonly placement: (member: Member | undefined, scope: Scope, build: Builder) => LoginPlacement;
}

export interface SecretsContext {
  readonly circuit: CircuitDeclaration;
  readonly hosts: NormalisedHosts;
  readonly locals: LocalValues;
  readonly isModule: boolean;
  readonly report: Report;
}

export function planSecrets(context: SecretsContext): CircuitSecrets {
  const { circuit, isModule } = context;
  checkWritten(context);
  if (isModule) {
    return { entries: [], placement: () => ({ settings: sharedSshSettings, login: undefined }) };
  }
  const inCircuit = mayHave(circuit.ssh) && !perHost(circuit.ssh);
  // Entries by host would depend on what the hosts are computed from, which needs these entries to log in.
  const byHost = !hostsAreOurs(context);
  const inHosts = byHost && (hostsMayHave(context) || (mayHave(circuit.ssh) && perHost(circuit.ssh)));
  const members = [...circuit.steps, ...circuit.handlers].filter(
    (member) => byHost && (mayHave(member.ssh) || hasOtherSecrets(member, inCircuit || inHosts, context)),
  );
  const own = new Set<Member>(members);
  return {
    entries: [
      ...(inCircuit ? [circuitEntry(context)] : []),
      ...(inHosts ? [hostEntries(context, undefined)] : []),
      ...members.flatMap((member) => [...memberEntry(context, member), hostEntries(context, member)]),
    ],
    placement(member, scope, build) {
      const host = scope.hostName(build);
      if (member !== undefined && own.has(member)) {
        return { settings: plainSettings, login: entryOf(circuit, host, member, build) };
      }
      const login = inCircuit || inHosts ? entryOf(circuit, host, undefined, build) : undefined;
      return { settings: plainSettings, login };
    },
  };
}

const entryOf = (
  circuit: CircuitDeclaration,
  host: Expression,
  member: Member | undefined,
  build: Builder,
): Expression =>
  build.template(...entryName({ circuit: circuit.name, host, member: member && memberIn(member) }));

const memberIn = (member: Member): string =>
  entryMember("notify" in member ? "step" : "handler", member.name);

/** Whether it runs on another host and either of the hosts has secrets. */
function hasOtherSecrets(member: Member, any: boolean, { circuit, hosts }: SecretsContext): boolean {
  if (!("runOn" in member) || member.runOn === undefined) return false;
  const scope = secretScope({ circuit, where: "the circuit" }, false);
  const other = runOnLogin(member.runOn, hosts, scope, () => undefined);
  const build = buildAt(member.nameRange);
  const hops = other.setting("bastion", build);
  return (
    any ||
    secretSettings.some((name) => other.setting(name, build) !== undefined) ||
    (hops !== undefined && hopSecrets.some((name) => hops.hopNames?.has(name) ?? true))
  );
}

/** Whether it sets a secret, or may set one: the text does not show what an object has. */
const mayHave = (ssh: SshDeclaration | undefined): boolean =>
  ssh?.form === "object"
    ? [...secretSettings, "bastion"].some((name) => ssh.attributes?.has(name) ?? true)
    : writtenSecrets(ssh).length > 0 ||
      hopSecrets.some((name) => hopNamesIn(ssh?.settings.get("bastion")).has(name));

const hostsMayHave = ({ hosts }: SecretsContext): boolean =>
  secretSettings.some((name) => hosts.settings.has(name)) ||
  hopSecrets.some((name) => hosts.hopNames.has(name));

const hostsAreOurs = ({ circuit, locals }: SecretsContext): boolean =>
  circuit.hosts !== undefined && isOurs(circuit.hosts, locals);

const writtenSecrets = (ssh: SshDeclaration | undefined): readonly Expression[] =>
  ssh?.form !== "block"
    ? []
    : [
        ...secretSettings.flatMap((name) => {
          const value = ssh.settings.get(name);
          return value === undefined || isNullLiteral(value) ? [] : [value];
        }),
        ...hopSecretsIn(ssh.settings.get("bastion")),
      ];

/** Whether a circuit's login refers to a host. */
function perHost(ssh: SshDeclaration | undefined): boolean {
  const expressions = ssh?.form === "object" ? [ssh.object] : writtenSecrets(ssh);
  let found = false;
  for (const expression of expressions) {
    visitExpression(expression, (node, hidden) => {
      if (node.kind !== "variable" || hidden.has(node.name)) return;
      found ||= node.name === "host" || node.name === "each";
    });
  }
  return found;
}

/** `{ web = { password = … } }` */
function circuitEntry({ circuit, report }: SecretsContext): Expression {
  const build = buildAt(circuit.ssh!.range);
  const scope = secretScope({ circuit, where: "the circuit" }, false);
  const sources = { member: undefined, host: undefined, circuit: circuit.ssh };
  return build.object({
    [entryNameText({ circuit: circuit.name })]: secretsOf(sources, scope, build, report),
  });
}

/** `{ "web//MEMBER" = { password = … } }`, where nothing in it depends on the host. */
function memberEntry({ circuit, report }: SecretsContext, member: Member): readonly Expression[] {
  if (member.ssh === undefined || !mayHave(member.ssh) || perHost(member.ssh)) return [];
  const build = buildAt(member.ssh.range);
  const scope = secretScope({ circuit, where: `"${member.name}"` }, false);
  const sources = {
    member: member.ssh,
    host: undefined,
    circuit: perHost(circuit.ssh) ? undefined : circuit.ssh,
  };
  const key = entryNameText({ circuit: circuit.name, member: memberIn(member) });
  return [build.object({ [key]: secretsOf(sources, scope, build, report) })];
}

/** `{ for host in … : "web/${host.name}" => { password = … } }`; with a member `"web/${host.name}/MEMBER"`. */
function hostEntries({ circuit, hosts, report }: SecretsContext, member: Member | undefined): Expression {
  const where = member === undefined ? "the circuit" : `"${member.name}"`;
  const ownKeys = member !== undefined && "forEach" in member && member.forEach !== undefined;
  const scope = secretScope({ circuit, where }, ownKeys);
  const origin: SourceRange =
    member?.ssh?.range ?? member?.nameRange ?? circuit.ssh?.range ?? circuit.nameRange;
  const build = buildAt(origin);
  const runOn = member !== undefined && "runOn" in member ? member.runOn : undefined;
  // Errors in run_on are reported where the resource is made.
  const host =
    runOn === undefined ? hostLogin(hosts, scope.host) : runOnLogin(runOn, hosts, scope, () => undefined);
  const sources = { member: member?.ssh, host, circuit: circuit.ssh };
  return build.forObject({
    valueName: "host",
    collection: build.path("local", hostsLocalName(circuit.name)),
    key: entryOf(circuit, scope.hostName(build), member, build),
    value: secretsOf(sources, scope, build, report),
  });
}

function secretsOf(sources: LoginSources, scope: Scope, build: Builder, report: Report): Expression {
  const found: Record<string, Expression> = {};
  for (const name of secretSettings) {
    const value = loginSetting(name, sources, scope, build, report);
    if (value !== undefined) found[name] = value;
  }
  const own = build.object(found);
  const jumpHosts = loginJumpHosts(sources, scope, build);
  const ofHops = jumpHosts === undefined ? [] : hopSecretMaps(jumpHosts, build);
  return ofHops.length === 0 ? own : joined([own, ...ofHops], build);
}

/** One object, if all of them are written out. */
function joined(maps: readonly Expression[], build: Builder): Expression {
  const written = maps.filter((map) => map.kind === "object");
  if (written.length < maps.length) return build.call("merge", ...maps);
  return { ...build.object({}), items: written.flatMap(({ items }) => items) };
}

/** Reports secrets in the text that depend on what they are for, and those that cannot be moved. */
function checkWritten(context: SecretsContext): void {
  const { circuit, hosts, locals, isModule, report } = context;
  const ofHosts = [
    ...(perHost(circuit.ssh) ? writtenSecrets(circuit.ssh) : []),
    ...hosts.secrets,
    ...[...circuit.steps, ...circuit.handlers].flatMap((member) => writtenSecrets(member.ssh)),
  ];
  const ofAll = perHost(circuit.ssh) ? [] : writtenSecrets(circuit.ssh);
  for (const secret of [...ofAll, ...ofHosts]) {
    if (isModule) report(stored(secret));
    else if (isOurs(secret, locals)) report(fromOurs(secret));
    else if (ofHosts.includes(secret) && hostsAreOurs(context)) report(forOurs(secret));
  }
}

const stored = (secret: Expression): Diagnostic =>
  warningDiagnostic(
    "This login secret will be stored",
    'A module cannot configure a provider, so the secret goes into the state with every resource of this circuit. Set it in the root module, as provider "conn3x" { ssh { … } }, or use a key file or an agent.',
    { range: secret },
  );

const fromOurs = (secret: Expression): Diagnostic =>
  errorDiagnostic(
    "A login secret cannot come from a Conn3x resource",
    "All of these log in with the provider's configuration, which the secret becomes a part of: they would wait for each other. Take it from a variable, a file, or another provider's resource.",
    { range: secret },
  );

const forOurs = (secret: Expression): Diagnostic =>
  errorDiagnostic(
    "Hosts that come from a Conn3x resource cannot have login secrets of their own",
    "The secrets become a part of the provider's configuration, by the hosts' names, and the resource that the hosts come from waits for it. Set one secret for the whole circuit, or name the hosts without that resource.",
    { range: secret },
  );
