/**
 * @module `conn3x_facts`: facts about a host.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { StepKind } from "../kind.ts";
import { askFacts, parseFacts } from "./ask.ts";
import { factsSchema } from "./schema.ts";

export const factsKind: StepKind<PlainObject, null> = {
  role: "step",
  name: "facts",
  type: "conn3x_facts",
  schema: factsSchema,
  id: { from: [], of: () => "facts" },
  facts: {
    subject: () => null,
    ask: () => askFacts,
    parse(stdout, subjects) {
      const facts = parseFacts(stdout.toString("utf8"));
      return subjects.map(() => ({ state: "present", facts }));
    },
  },
  observe: (facts, object) => ({ ...object, ...facts }),
  // A host always has facts: there is nothing that could be taken over.
  isThere: () => false,
  foretell: (found) => (found.state === "present" ? found.facts : {}),
  operate: () => [],
  remove: () => [],
};
