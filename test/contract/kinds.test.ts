/**
 * The tables leave out no kind: a part of the suite that none of a kind's rows has is named here, with the reason why it
 * does not apply.
 */
import { describe, expect, test } from "vitest";
import type { LifeCase } from "../../src/kind/testing/life-case.ts";
import { kinds } from "../../src/resources/index.ts";
import { contractCases, furtherCases, labCases, serviceCases } from "./kinds.ts";

type Part = "proof" | "drift" | "vanish" | "edited" | "another";

const noIdentity = "what it does has no identity: whatever is edited, it is the same instance";
const runsOnce = "it runs something and leaves nothing that a read could find different";

const leftOut: Readonly<Record<string, Partial<Record<Part, string>>>> = {
  conn3x_command: { drift: runsOnce, another: noIdentity },
  conn3x_wait_for: {
    proof: "it changes nothing on the host",
    drift: "it reads nothing that is stored",
    vanish: "it makes nothing",
    another: noIdentity,
  },
  conn3x_reboot: {
    proof: "an edit of its triggers does the same once more",
    drift: "somebody else's reboot is none",
    vanish: "a boot cannot go",
    another: noIdentity,
  },
  conn3x_facts: {
    proof: "it changes nothing on the host",
    drift: "what the host has is always right: there is nothing to put back",
    vanish: "a host always has facts",
    edited: "there is nothing to configure but who owns drift and the login",
    another: noIdentity,
  },
  conn3x_package: { vanish: "one that is not installed is there, with another state: that is drift" },
  conn3x_service: { vanish: "a service that is gone cannot be made: it is an error" },
  conn3x_service_action: {
    proof: "a restart leaves what is the same before and after",
    drift: runsOnce,
    vanish: "it has nothing on the host (C10)",
  },
  conn3x_command_action: {
    proof: "an edit runs nothing, so that nothing can tell before from after",
    drift: runsOnce,
    vanish: "it has nothing on the host (C10)",
  },
};

const rows: readonly LifeCase[] = [...contractCases, ...furtherCases, ...serviceCases, ...labCases];
const parts: readonly Part[] = ["proof", "drift", "vanish", "edited", "another"];

describe.each([...kinds.keys()])("%s", (type) => {
  const own = rows.filter((row) => row.type === type);

  test("has a row", () => expect(own).not.toEqual([]));

  test.each(parts)("has %s in one, or a reason why not", (part) => {
    const reason = leftOut[type]?.[part];
    expect(own.some((row) => row[part] !== undefined)).toBe(reason === undefined);
  });

  test("what has an identity becomes another object", () => {
    const { attributes } = kinds.get(type)!.schema;
    const identities = Object.keys(attributes).filter((name) => attributes[name]!.identity);
    const changed = own
      .filter(({ another }) => another !== undefined)
      .map((row) => row.anotherBy ?? row.known);
    expect(changed).toEqual(expect.arrayContaining(identities));
  });
});
