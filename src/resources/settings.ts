/**
 * @module Settings of every resource on a host: its login, its id, its revision.
 */
import { sshBlock } from "../login/index.ts";
import {
  type AttributeSchema,
  type BlockSchema,
  bool,
  oneOf,
  type ResourceSchema,
  string,
  stringList,
} from "../schema/schema.ts";

/** Who owns what of an object; of kinds that read something from the host. */
export const driftBlock: BlockSchema = {
  describe: "What to do about settings that somebody changed on the host.",
  hostEffect: false,
  attributes: {
    mode: oneOf(["enabled", "warn", "disabled"], {
      optional: true,
      describe:
        "`enabled` (default) reverts drift, `warn` reports it and leaves it, `disabled` does not read the host.",
    }),
    ignore: stringList({
      optional: true,
      describe:
        "Settings that somebody else owns: written when the object is created, and neither compared nor written later.",
    }),
  },
  blocks: {},
};

/** Schema of a resource on a host: a kind's own settings and the ones that all have. */
export function hostResource(
  describe: string,
  attributes: Readonly<Record<string, AttributeSchema>>,
): ResourceSchema {
  const readsHost = Object.values(attributes).some(({ observed }) => observed);
  return {
    version: 0,
    describe,
    attributes: {
      ...attributes,
      when: bool({
        optional: true,
        hostEffect: false,
        describe: `False leaves this instance out: nothing is read or changed on its host. ${"on_remove" in attributes ? "Turning false removes the object, as `on_remove` says." : "Turning false does nothing there."}`,
      }),
      skipped: bool({
        computed: true,
        hostEffect: false,
        describe: "Whether `when` leaves this instance out; null without one.",
      }),
      applied: bool({
        computed: true,
        hostEffect: false,
        describe: "Whether it is in effect on its host, or was until `when` turned false; null without one.",
      }),
      id: string({ computed: true, describe: "What identifies the object on its host." }),
      revision: string({
        computed: true,
        describe:
          "16 hexadecimal characters, renewed by each apply that changes something on the host for this instance.",
      }),
    },
    blocks: readsHost ? { drift: driftBlock, ssh: sshBlock } : { ssh: sshBlock },
  };
}

/** `on_remove`, of every kind whose objects can be removed. */
export const onRemove = oneOf(["delete", "keep"], {
  optional: true,
  hostEffect: false,
  describe:
    "What removing the step does on the host. Unset: an object that Conn3x created is deleted, one that existed before is kept.",
});

/** `on_remove`, of kinds whose removal can hurt: nothing is removed unless it is asked for. @param what is then done */
export const onRemoveUnused = (what: string): AttributeSchema =>
  oneOf(["delete", "keep"], {
    optional: true,
    hostEffect: false,
    describe: `What removing the step does on the host: with \`delete\` ${what}; \`keep\` (default) leaves it as it is.`,
  });
