import { describe, expect, test } from "vitest";
import { Unknown } from "../../values/value.ts";
import { sameTriggers, serviceActionKind } from "./service-action.ts";

describe("sameTriggers", () => {
  test.each([
    [["aa"], ["aa"], true],
    [["aa"], ["bb"], false],
    [["aa"], ["aa", "bb"], false],
    [["aa"], [new Unknown()], false],
    [new Unknown(), ["aa"], false],
    [["aa"], null, false],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "aa" }], true],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "bb" }], false],
    [[{ "web1/curl": "aa" }], [{ "web1/git": "aa" }], false],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "aa", "web1/git": "bb" }], false],
    [["aa", { "web1/a/b": "cc" }], ["aa", { "renamed/a/b": "cc" }], true],
  ])("%j and %j: %j", (before, after, same) => {
    expect(sameTriggers(before, after)).toBe(same);
  });
});

describe("run", () => {
  test("reads a changed unit file before it restarts", () => {
    expect(serviceActionKind.run({ name: "nginx", action: "restart" })).toMatchObject([
      {
        own: true,
        purpose: "restart the service nginx",
        script: {
          text: "case $(systemctl show -p NeedDaemonReload -- nginx) in *=yes) systemctl daemon-reload ;; esac\nsystemctl restart -- nginx",
        },
      },
    ]);
  });

  test("reloads only what runs", () => {
    expect(serviceActionKind.run({ name: "getty@tty1", action: "reload" })[0]).toMatchObject({
      script: {
        text: expect.stringMatching(
          /\n! systemctl is-active -- getty@tty1 >\/dev\/null \|\| systemctl reload -- getty@tty1$/,
        ),
      },
    });
  });
});

describe("name", () => {
  test.each(["nginx", "getty@tty1.service", "dev-disk-by\\x2dlabel.swap"])("may be %s", (name) => {
    expect(serviceActionKind.schema.attributes.name?.check?.(name)).toBeUndefined();
  });
  test.each(["-rf", "a b", "", "nginx; reboot"])("cannot be %j", (name) => {
    expect(serviceActionKind.schema.attributes.name?.check?.(name)).toEqual(expect.any(String));
  });
});
