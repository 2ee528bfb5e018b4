import { describe, expect, test } from "vitest";
import { fromPlain } from "../../values/plain.ts";
import { listOf, objectOf, stringType } from "../../values/type.ts";
import { nullValue, Unknown } from "../../values/value.ts";
import { createSecretObjects } from "./secret-objects.ts";

const login = objectOf({ address: stringType });
const type = objectOf({
  path: stringType,
  revision: stringType,
  names: listOf(stringType),
  ssh: login,
});
const object = (path: string, more: { revision?: string | Unknown; address?: string | Unknown } = {}) =>
  fromPlain(
    {
      path,
      revision: more.revision ?? "1",
      names: ["a"],
      ssh: { address: more.address ?? "h1" },
    },
    type,
  );
const none = nullValue(type);

describe("secret objects", () => {
  test("one that is there is known by what it was, whatever becomes of it", () => {
    const secrets = createSecretObjects();
    secrets.add("t", object("/a"), object("/a", { revision: "2" }));
    expect(secrets.has("t", object("/a"), none)).toBe(true);
    expect(secrets.has("t", object("/a"), object("/a", { revision: "3" }))).toBe(true);
    expect(secrets.has("t", object("/b"), none)).toBe(false);
    expect(secrets.has("u", object("/a"), none)).toBe(false);
    expect(secrets.has("t", none, object("/a"))).toBe(false);
  });

  test("one that is made is known by what was known of it", () => {
    const secrets = createSecretObjects();
    secrets.add("t", none, object("/a", { revision: new Unknown() }));
    expect(secrets.has("t", none, object("/a", { revision: "7" }))).toBe(true);
    expect(secrets.has("t", none, object("/b", { revision: "7" }))).toBe(false);
    expect(secrets.has("t", none, object("/a", { address: "h2" }))).toBe(false);
  });

  test("one on a host that was not known may be on any", () => {
    const secrets = createSecretObjects();
    secrets.add("t", none, object("/a", { address: new Unknown() }));
    expect(secrets.has("t", none, object("/a", { address: "h2" }))).toBe(true);
    expect(secrets.has("t", none, object("/b", { address: "h2" }))).toBe(false);
  });
});
