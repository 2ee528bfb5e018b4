/**
 * @module For tests: a few kinds that do not change when the real ones do.
 */
import { hostResource, onRemove } from "../../resources/settings.ts";
import { dynamic, string } from "../../schema/schema.ts";
import type { KindDeclaration, KindRegistry } from "../declare/declaration.ts";

const file: KindDeclaration = {
  role: "step",
  name: "file",
  type: "conn3x_file",
  schema: hostResource("A file.", {
    path: string({ required: true, identity: true, describe: "Absolute path." }),
    content: string({ optional: true, oneOf: "body", describe: "Text." }),
    content_base64: string({ optional: true, oneOf: "body", describe: "Bytes." }),
    mode: string({ optional: true, observed: true, describe: "Permissions." }),
    sha256: string({ computed: true, describe: "Hash." }),
    on_remove: onRemove,
  }),
};

const widget: KindDeclaration = {
  role: "step",
  name: "widget",
  type: "conn3x_widget",
  schema: {
    ...hostResource("A thing with a block of its own.", {
      name: string({ required: true, describe: "Name." }),
    }),
    blocks: {
      ...hostResource("", {}).blocks,
      limits: {
        describe: "Limits.",
        attributes: { soft: string({ required: true, describe: "Soft limit." }) },
        blocks: {},
      },
    },
  },
};

const service: KindDeclaration = {
  role: "action",
  name: "service",
  type: "conn3x_service_action",
  schema: hostResource("An action.", {
    name: string({ required: true, describe: "Unit." }),
    action: string({ required: true, describe: "What to do." }),
    triggers: dynamic({ optional: true, describe: "What is watched." }),
  }),
};

const commandSettings = { run: string({ required: true, describe: "What to run." }) };

const command: KindDeclaration = {
  role: "step",
  name: "command",
  type: "conn3x_command",
  schema: hostResource("A command.", {
    ...commandSettings,
    stdout: string({ computed: true, describe: "What it printed." }),
  }),
};

const commandAction: KindDeclaration = {
  role: "action",
  name: "command",
  type: "conn3x_command_action",
  schema: hostResource("A command of a handler.", {
    ...commandSettings,
    triggers: dynamic({ optional: true, describe: "What is watched." }),
  }),
};

const facts: KindDeclaration = {
  role: "step",
  name: "facts",
  type: "conn3x_facts",
  schema: hostResource("What is found.", { os: dynamic({ computed: true, describe: "Operating system." }) }),
};

export const testKinds: KindRegistry = new Map(
  [file, widget, command, facts, service, commandAction].map((kind) => [kind.type, kind]),
);
