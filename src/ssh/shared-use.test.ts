import { expect, test } from "vitest";
import { use } from "./shared-use.ts";

test("what is shared ends once, with the last of its users, however often each lets go", () => {
  const shared = { users: 0 };
  let ended = 0;
  const [first, second] = [use(shared, () => ended++), use(shared, () => ended++)];
  first();
  first();
  expect([shared.users, ended]).toEqual([1, 0]);
  second();
  second();
  expect([shared.users, ended]).toEqual([0, 1]);
});
