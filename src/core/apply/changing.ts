/**
 * @module The changes behind an update, as its kind gets them when it acts (X5).
 */
import type { Kind } from "../../resources/kind.ts";
import { compareObjects } from "../../revision/comparison.ts";
import type { Changing } from "../../revision/decide.ts";
import { settingsOfOthers } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { settingChanges } from "../../revision/setting-change.ts";
import type { ApplyRequest } from "../provider.ts";
import { decodePrivate, lastApplied } from "../stored/private-data.ts";
import type { SlowHashes } from "../stored/slow-hash.ts";
import { writeOnlyEdits } from "../stored/write-only.ts";

/** As the caller says; if it does not know, the edits are determined as for the plan. */
export async function changingOf(
  hashes: SlowHashes,
  kind: Pick<Kind, "schema">,
  { update, config, prior, planned, plannedPrivate }: ApplyRequest,
): Promise<Changing> {
  const { schema } = kind;
  if (update !== undefined) {
    const { changes, dependencies, sensitivePaths } = update;
    return { changes: settingChanges(changes, schema, sensitivePaths), dependencies };
  }
  const [now, before] = [fieldsOf(planned)!, fieldsOf(prior)!];
  const data = decodePrivate(schema, plannedPrivate);
  const { edits } = compareObjects(schema, {
    config: fieldsOf(config)!,
    prior: before,
    applied: fieldsOf(lastApplied(prior, data))!,
    planned: now,
    theirs: settingsOfOthers(schema, now, before),
    writeOnlyEdits: await writeOnlyEdits(hashes, kind, config, data),
  });
  return { changes: settingChanges(edits, schema), dependencies: [] };
}
