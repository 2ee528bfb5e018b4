/**
 * @module A few kinds for the compiler's tests, so that they do not change with the real ones.
 */
import { hostResource, onRemove } from "../../resources/settings.ts";
import { dynamic, string } from "../../schema/schema.ts";
import type { KindDeclaration, KindRegistry } from "../declaration.ts";

const optional = (describe: string) => string({ optional: true, describe });

const file: KindDeclaration = {
  role: "step",
  name: "file",
  type: "conn3x_file",
  schema: hostResource("A file.", {
    path: string({ required: true, identity: true, describe: "Absolute path." }),
    content: string({ optional: true, oneOf: "body", describe: "Text." }),
    content_base64: string({ optional: true, oneOf: "body", describe: "Bytes." }),
    mode: optional("Permissions."),
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

export const testKinds: KindRegistry = new Map([file, widget, service].map((kind) => [kind.type, kind]));
