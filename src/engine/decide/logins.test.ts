import { describe, expect, test } from "vitest";
import { providerSchema } from "../../core/create-provider.ts";
import { schemaType } from "../../schema/schema.ts";
import { fromPlain, type PlainObject, toPlain } from "../../values/plain.ts";
import { load } from "../evaluate/load.ts";
import { functionsFor } from "../evaluate/names/functions.ts";
import { Problems } from "../evaluate/problems.ts";
import { subjectOf } from "../evaluate/resources/subject.ts";
import { configurationOf } from "../testing/configuration.ts";
import { configuredLogins } from "./logins.ts";

const text = `resource "conn3x_file" "web__kept" {
  for_each = { h1 = "192.0.2.1", h2 = "192.0.2.2" }
  path     = "/kept"
  content  = ""
  ssh {
    address          = each.value
    private_key_file = "renewed"
    become           = true
  }
}`;

function logins() {
  const planTime = new Date();
  const problems = new Problems();
  const functions = functionsFor(".", { planTime });
  const configuration = configurationOf(text);
  const loaded = load(
    { configuration, schema: providerSchema, variables: [], functions, planTime },
    problems,
  );
  expect(problems.all).toEqual([]);
  return configuredLogins(loaded);
}

describe("a login for what is not configured any more", () => {
  const stored = (ssh: PlainObject) =>
    fromPlain(
      { path: "/gone", ssh: { private_key_file: "old", ...ssh } },
      schemaType(providerSchema.resources.get("conn3x_file")!),
    );
  const besides = (address: string, key: string, ssh: PlainObject) => {
    const login = logins().besides(subjectOf(undefined, address, key), stored(ssh));
    return login === undefined ? undefined : (toPlain(login) as PlainObject);
  };

  test("is that of a neighbour, and who acts is as stored", () => {
    expect(besides("conn3x_file.web__gone", "h2", { address: "192.0.2.2", become: false })).toMatchObject({
      address: "192.0.2.2",
      private_key_file: "renewed",
      become: false,
    });
    expect(besides("conn3x_file.web__gone", "h1/key", { address: "192.0.2.1" })).toMatchObject({
      private_key_file: "renewed",
      become: null,
    });
  });

  test.each([
    ["another host", "conn3x_file.web__gone", "h3", "192.0.2.3"],
    ["a host that has moved", "conn3x_file.web__gone", "h1", "192.0.2.9"],
    ["another circuit", "conn3x_file.db__gone", "h1", "192.0.2.1"],
    ["no circuit", "conn3x_file.gone", "h1", "192.0.2.1"],
  ])("is none for %s", (_, address, key, endpoint) => {
    expect(besides(address, key, { address: endpoint })).toBeUndefined();
  });
});
