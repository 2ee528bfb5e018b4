/**
 * @module `conn3x_file`: a regular file with given content.
 */

import type { StepKind } from "../kind.ts";
import { exactPrincipals, importPath, pathId } from "../paths/settings.ts";
import type { PathSubject } from "../paths/subject.ts";
import { leftRunningBy } from "../service/leftover.ts";
import { checkBody, planHash } from "./content.ts";
import { differingContent, type FileFacts, fileFacts, isFile, observeFile } from "./facts.ts";
import { needsOfFile } from "./needs.ts";
import { checkFilePlan, operateFile, removeFile } from "./operate.ts";
import { fileSchema } from "./schema.ts";

export const fileKind: StepKind<FileFacts, PathSubject> = {
  role: "step",
  name: "file",
  type: "conn3x_file",
  schema: fileSchema,
  id: pathId,
  imported: importPath,
  check: checkBody,
  localFiles: ["source"],
  facts: fileFacts,
  closer: differingContent,
  isOurs: isFile,
  observe: observeFile,
  exact: (facts, observed) => (facts.kind === "dangling" ? {} : exactPrincipals(facts, observed)),
  fingerprint: (facts) => (facts.kind === "file" ? facts.sha256 : undefined),
  plan: planHash,
  planCheck: checkFilePlan,
  // A link to nothing that is followed is written through.
  besides: (facts) =>
    facts.kind === "dangling" && facts.followed !== true
      ? { text: ["removes a symbolic link that is in its place"], removes: [] }
      : undefined,
  needs: needsOfFile,
  exclusive: pathId.of,
  leftover: ({ path }) => leftRunningBy(String(path)),
  operate: operateFile,
  remove: removeFile,
};
