import { expect, test } from "vitest";
import { stringType } from "../../../values/type.ts";
import { boolValue, nullValue, objectValue, stringValue, type Value } from "../../../values/value.ts";
import { isEntries } from "../../../values/walk.ts";
import { sharedValues, withSharedLogin } from "./shared-values.ts";

const login = (user: string): Value => objectValue({ user: stringValue(user), agent: nullValue(stringType) });
const object = (path: string, user: string): Value =>
  objectValue({ path: stringValue(path), ssh: login(user) });
const ssh = ({ data }: Value): Value | undefined => (isEntries(data) ? data.get("ssh") : undefined);

test("equal logins of a host are one value, others stay as they are", () => {
  const share = sharedValues();
  const first = withSharedLogin(object("/a", "root"), "web1", share);
  const second = withSharedLogin(object("/b", "root"), "web1", share);
  expect(second).toEqual(object("/b", "root"));
  expect(ssh(second)).toBe(ssh(first));
  expect(ssh(withSharedLogin(object("/c", "deploy"), "web1", share))).toEqual(login("deploy"));
  expect(ssh(withSharedLogin(object("/d", "deploy"), "web2", share))).not.toBe(ssh(first));
});

test("nulls of a type and bools are kept once", () => {
  expect(nullValue(stringType)).toBe(nullValue(stringType));
  expect(boolValue(true)).toBe(boolValue(true));
});
