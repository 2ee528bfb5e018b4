/**
 * @module Plans one instance: `src/revision` decides; here the settings of all kinds are filled in, and the host is checked.
 */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { isElsewhere } from "../../login/index.ts";
import type { Kind, LocalFiles } from "../../resources/kind.ts";
import { type DecisionInput, decide, decideDelete, type Outcome } from "../../revision/decide.ts";
import type { Decision } from "../../revision/decision.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { isNull } from "../../values/value.ts";
import { sshOf } from "../apply/applied.ts";
import { keptOnRemoval } from "../apply/keeps.ts";
import { type Context, diagnosticOf } from "../context.ts";
import { plainObject } from "../objects.ts";
import type { PlanRequest, PlanResponse } from "../provider.ts";
import { localFilesOf } from "../read/local-files.ts";
import { decodePrivate, encodePrivate, lastApplied, privateOfBegun } from "../stored/private-data.ts";
import { planIntact, sameSecrets, writeOnlyEdits } from "../stored/write-only.ts";
import { checkPlan, privateOfCreate } from "./plan-check.ts";
import type { PlanOutlook } from "./plan-outlook.ts";
import { checkRemoval } from "./removal-check.ts";

export async function planResource(context: Context, request: PlanRequest): Promise<PlanResponse> {
  const kind = context.kinds.get(request.type)!;
  try {
    const local: LocalFiles = isNull(request.config) ? new Map() : await localFilesOf(kind, request.config);
    const outcome = await decideAbout(context, kind, request, local);
    const { planned, decision, diagnostics } = outcome;
    const [outlook, ending] = await Promise.all([
      checkPlan(context, kind, { ...request, ...outcome, local }),
      hasErrors(diagnostics) ? undefined : checkRemoval(context, kind, request, decision, planned),
    ]);
    const besides = [...(ending?.besides?.text ?? []), ...(outlook.besides?.text ?? [])];
    return {
      planned: outlook.planned ?? planned,
      decision: {
        ...decision,
        ...(outlook.found === undefined ? {} : { found: outlook.found }),
        ...(outlook.existing === undefined ? {} : { existing: outlook.existing }),
        ...(outlook.removing === undefined ? {} : { removing: outlook.removing }),
        ...(besides.length === 0 ? {} : { besides }),
        ...keeping(kind, request, decision),
      },
      diagnostics: [...diagnostics, ...outlook.diagnostics, ...(ending?.diagnostics ?? [])],
      requiresReplace: decision.requiresReplace,
      private: withShown(
        kind,
        plannedPrivate(kind, request, outcome, outlook),
        (decision.action === "delete" ? ending : outlook)?.besides?.removes,
      ),
      ...(outlook.unseen ? { unseen: true } : {}),
      ...(outlook.realNames === undefined ? {} : { realNames: outlook.realNames }),
    };
  } catch (error) {
    return {
      planned: request.prior,
      decision: { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] },
      requiresReplace: [],
      private: request.priorPrivate,
      diagnostics: [diagnosticOf(error)],
    };
  }
}

/** Whether an object that is removed from the state stays on its host. */
function keeping(kind: Kind, { prior, priorPrivate }: PlanRequest, { action }: Decision) {
  if ((action !== "delete" && action !== "replace") || kind.role === "action") return {};
  if (wasSkipped(fieldsOf(prior))) return {};
  const keeps = keptOnRemoval(kind, plainObject(prior), decodePrivate(kind.schema, priorPrivate));
  return keeps === undefined ? {} : { keeps };
}

/** What the plan shows to go besides goes with it; what an earlier one showed does not count. */
function withShown(kind: Kind, bytes: Uint8Array, shown: readonly string[] | undefined): Uint8Array {
  if (kind.role === "action" || kind.besides === undefined) return bytes;
  const { shown: before, ...data } = decodePrivate(kind.schema, bytes);
  if (before === undefined && shown === undefined) return bytes;
  return encodePrivate(kind.schema, { ...data, ...(shown === undefined ? {} : { shown }) });
}

function plannedPrivate(
  kind: Kind,
  { priorPrivate }: PlanRequest,
  { decision, planned }: Outcome,
  outlook: PlanOutlook,
): Uint8Array {
  if (decision.action === "delete") return privateOfBegun(kind.schema, priorPrivate);
  if (decision.action !== "create" || kind.role === "action") return priorPrivate;
  const id = fieldsOf(planned)?.get("id")?.data;
  const before = decodePrivate(kind.schema, priorPrivate);
  const known = typeof id === "string" ? id : undefined;
  // Of a create that was begun it is what was planned then, of any other the old object's.
  const replaced =
    before.creating !== undefined || priorPrivate.length === 0 ? {} : { replaced: priorPrivate };
  return encodePrivate(kind.schema, { ...privateOfCreate(before, known, outlook), ...replaced });
}

async function decideAbout(
  { hashes }: Context,
  kind: Kind,
  { config, prior, priorPrivate, unsettled = false, dependencies = [], sensitivePaths = [] }: PlanRequest,
  local: LocalFiles,
): Promise<Outcome> {
  if (isNull(config)) return decideDelete(prior, { kind: "removed" });
  const data = decodePrivate(kind.schema, priorPrivate);
  const applied = isNull(prior) ? prior : lastApplied(prior, data);
  const plan = (diff: ResourceDiff) => planWithId(kind, diff, local);
  const subject: DecisionInput = {
    config,
    prior,
    lastApplied: applied,
    unsettled: unsettled || data.unsettled === true,
    imported: data.imported === true,
    elsewhere: !isNull(prior) && isElsewhere(sshOf(prior), sshOf(config), data.readAt),
    ...(data.exact && { exact: data.exact }),
    dependencies,
    sensitive: sensitivePaths,
    writeOnlyEdits: isNull(prior) ? [] : await writeOnlyEdits(hashes, kind, config, data),
  };
  const outcome = decide({ ...kind, plan }, subject);
  if (subject.writeOnlyEdits!.length === 0) return outcome;
  const same = await sameSecrets(hashes, kind, config, { prior, applied, planned: outcome.planned }, data);
  return same.size === 0 ? outcome : decide({ ...kind, plan }, { ...subject, sameSecrets: same });
}

/**
 * `id` says which object on its host it is: known as soon as that is, and renewed with it. It is the same object where
 * somebody else changed what it is made of.
 */
function planWithId(kind: Kind, diff: ResourceDiff, local: LocalFiles): void {
  const { from, of } = kind.id;
  const known = from.some((name) => diff.isTheirs(name)) ? diff.prior("id") : null;
  if (known !== null) diff.setNew("id", known);
  else if (!from.every((name) => diff.isKnown(name))) diff.setNewComputed("id");
  else diff.setNew("id", of(Object.fromEntries(from.map((name) => [name, diff.get(name)]))));
  planIntact(kind.schema, diff);
  kind.plan?.(diff, local);
}
