import { describe, expect, test } from "vitest";
import { serviceActionKind } from "./service-action.ts";

describe("run", () => {
  test("reads a changed unit file before it restarts", () => {
    expect(serviceActionKind.run({ name: "nginx", action: "restart" })).toMatchObject([
      {
        own: true,
        purpose: "restart the service nginx",
        script: {
          text: expect.stringMatching(
            /\nsystemd\)\ncase \$\(systemctl show .*-- nginx\) in .*systemctl daemon-reload ;; esac\nsystemctl restart -- nginx\n;;/,
          ),
        },
      },
    ]);
  });

  test("reloads only what runs", () => {
    expect(serviceActionKind.run({ name: "getty@tty1", action: "reload" })[0]).toMatchObject({
      script: {
        text: expect.stringMatching(
          /\n! systemctl is-active -- getty@tty1 >\/dev\/null \|\| systemctl reload -- getty@tty1\n;;/,
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
