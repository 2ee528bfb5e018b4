/** Which settings have no effect on a host, and so neither on a revision nor on handlers: C3's list, for every kind. */
import { describe, expect, test } from "vitest";
import type { BlockSchema } from "../schema/schema.ts";
import { kinds } from "./index.ts";

/** Names of settings with an effect, `bastion.address` for one in a block. */
const effective = ({ attributes, blocks }: BlockSchema): readonly string[] => [
  ...Object.entries(attributes).flatMap(([name, { hostEffect }]) => (hostEffect === false ? [] : [name])),
  ...Object.entries(blocks).flatMap(([name, block]) =>
    block.hostEffect === false ? [] : effective(block).map((inner) => `${name}.${inner}`),
  ),
];

describe.each([...kinds.values()])("C3: $type", ({ schema }) => {
  test("of how its host is reached only which host it is counts", () => {
    expect(effective(schema.blocks.ssh!).toSorted()).toEqual(["address", "port", "ssh_config_file"]);
  });

  test("what becomes of it in a removal does not count, nor who owns its settings", () => {
    const counted = effective(schema);
    expect(counted).not.toContain("on_remove");
    expect(counted.filter((name) => name.startsWith("drift"))).toEqual([]);
  });
});

test.each(["conn3x_reboot", "conn3x_wait_for"])("C3: the timeout of %s does not count", (type) => {
  expect(kinds.get(type)!.schema.attributes.timeout).toBeDefined();
  expect(effective(kinds.get(type)!.schema)).not.toContain("timeout");
});
