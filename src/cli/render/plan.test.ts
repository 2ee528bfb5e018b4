import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { withMark } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { dynamicType, stringType } from "../../values/type.ts";
import {
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
} from "../../values/value.ts";
import { renderPlan } from "./plan.ts";
import { change, type Given, plan } from "./testing/planned.ts";

const options = {
  colors: pico.createColors(false),
  width: 78,
  format: "resources",
  expand: false,
  replaceSteps: false,
} as const;
const unknown = unknownValue(stringType);
const secret = (text: string) => withMark(stringValue(text), "sensitive");

/** The entries alone: without the legend. */
function shown(changes: readonly Given[], expand = false): string {
  const text = renderPlan(plan(changes.map(change)), { ...options, expand });
  return text.slice(text.indexOf("\n  # ") + 1);
}

const handler = (host: string, revision: string): Given => ({
  host,
  member: "reload",
  kind: "service_action",
  before: { name: "nginx", action: "reload", triggers: tupleValue([stringValue(revision)]) },
  after: { name: "nginx", action: "reload", triggers: tupleValue([unknown]) },
  decision: {
    action: "replace",
    reasons: [{ kind: "triggers", dependencies: [`conn3x_file.web__config["${host}"]`] }],
    requiresReplace: [at("triggers")],
  },
});

const driftedFile = (host: string, revision: string): Given => ({
  host,
  before: { path: "/etc/a", mode: "0600", revision },
  after: { path: "/etc/a", mode: "0644", revision: unknown },
  decision: { action: "update", reasons: [{ kind: "drift", paths: [at("mode")] }] },
});

describe("renderPlan", () => {
  it("X8, X9: shows a change on the host and the handler that follows", () => {
    expect(shown([driftedFile("web1", "9f86d081884c7d65"), handler("web1", "9f86d081884c7d65")])).toBe(
      `  # conn3x_file.web__config["web1"] changed on the host and will be put back
  ~ resource "conn3x_file" "web__config" {
      ~ mode     = "0600" -> "0644"
        path     = "/etc/a"
      ~ revision = "9f86d081884c7d65" -> (known after apply)
    }

  # conn3x_service_action.web__reload["web1"] will run because conn3x_file.web__config["web1"] is updated
-/+ resource "conn3x_service_action" "web__reload" {
        name     = "nginx"
      ~ triggers = [ "9f86d081884c7d65" -> (known after apply) ]  # forces replacement
        # (1 unchanged attribute hidden)
    }

Plan: 0 to create, 1 to update, 1 to replace, 0 to delete, 0 unchanged. Hosts: 1 of 1 change.
`,
    );
  });

  it("explains its marks", () => {
    expect(renderPlan(plan([change(driftedFile("web1", "a"))]), options)).toContain(`
Conn3x will do the following. What the marks mean:
    ~ update in place

  # conn3x_file`);
  });

  it("folds equal changes and names the hosts", () => {
    const text = shown([
      driftedFile("web1", "1111111111111111"),
      driftedFile("web2", "2222222222222222"),
      handler("web1", "1111111111111111"),
      handler("web2", "2222222222222222"),
    ]);
    expect(text).toBe(
      `  # conn3x_file.web__config on 2 hosts changed on the host and will be put back
  #   web1, web2
  ~ resource "conn3x_file" "web__config" {
      ~ mode     = "0600" -> "0644"
        path     = "/etc/a"
      ~ revision = (differs by host) -> (known after apply)
    }

  # conn3x_service_action.web__reload on 2 hosts will run because conn3x_file.web__config is updated
  #   web1, web2
-/+ resource "conn3x_service_action" "web__reload" {
        name     = "nginx"
      ~ triggers = [ (differs by host) -> (known after apply) ]  # forces replacement
        # (1 unchanged attribute hidden)
    }

Plan: 0 to create, 2 to update, 2 to replace, 0 to delete, 0 unchanged. Hosts: 2 of 2 change.
`,
    );
  });

  it("does not count a host on which only settings are recorded", () => {
    const recorded: Given = {
      host: "web2",
      before: { path: "/etc/a", on_remove: "keep", revision: "2222" },
      after: { path: "/etc/a", on_remove: "delete", revision: "2222" },
      decision: { action: "update", reasons: [{ kind: "config", paths: [at("on_remove")] }] },
    };
    expect(shown([driftedFile("web1", "1111"), recorded])).toContain(
      "2 to update, 0 to replace, 0 to delete, 0 unchanged. Hosts: 1 of 2 change.",
    );
  });

  it("shows each host with -expand", () => {
    const text = shown([driftedFile("web1", "1111"), driftedFile("web2", "2222")], true);
    expect(text.match(/^ {2}# .*$/gm)).toEqual([
      '  # conn3x_file.web__config["web1"] changed on the host and will be put back',
      '  # conn3x_file.web__config["web2"] changed on the host and will be put back',
    ]);
    expect(text).toContain('~ revision = "2222" -> (known after apply)');
  });

  it("does not fold what differs in anything that matters", () => {
    const other: Given = {
      ...driftedFile("web2", "b"),
      before: { path: "/etc/a", mode: "0640", revision: "b" },
    };
    expect(shown([driftedFile("web1", "a"), other]).match(/^ {2}# /gm)).toHaveLength(2);
  });

  it("keeps keys of one step apart and folds each over the hosts", () => {
    const tool = (host: string, key: string): Given => ({
      host,
      member: "tools",
      kind: "package",
      key,
      after: { name: key },
      decision: { action: "create", reasons: [{ kind: "create" }] },
    });
    const text = shown([tool("a", "curl"), tool("b", "curl"), tool("a", "git"), tool("b", "git")]);
    expect(text.match(/^ {2}# conn3x.*$/gm)).toEqual([
      "  # conn3x_package.web__tools (curl) on 2 hosts will be created",
      "  # conn3x_package.web__tools (git) on 2 hosts will be created",
    ]);
  });

  it("leaves the host out of a trigger map's keys when it folds", () => {
    const keyed = (host: string): Given => ({
      ...handler(host, "x"),
      before: {
        triggers: tupleValue([mapValue(stringType, new Map([[`${host}/curl`, stringValue(host)]]))]),
      },
      after: { triggers: tupleValue([mapValue(stringType, new Map([[`${host}/curl`, unknown]]))]) },
    });
    expect(shown([keyed("a"), keyed("b")])).toContain(
      `      ~ triggers = [  # forces replacement
          ~ {
              ~ "HOST/curl" = (differs by host) -> (known after apply)
            },
        ]
`,
    );
  });

  it("counts hosts that do not fit", () => {
    const many = Array.from({ length: 25 }, (_, i) => driftedFile(`h${i}`, `r${i}`));
    expect(shown(many)).toContain(
      `  #   h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, h12, h13, h14, h15,
  #   h16, h17, h18, h19 and 5 more (-expand shows each)
`,
    );
  });

  it("shows a new object without what is unset, and its texts as they are", () => {
    const text = shown([
      {
        after: {
          path: "/etc/motd",
          content: "Hello\nthere\n",
          mode: "0644",
          owner: nullValue(stringType),
          size: numberValue(12),
          tags: listValue(stringType, [stringValue("a"), stringValue("b")]),
          empty: listValue(stringType, []),
          revision: unknown,
          ssh: objectValue({ address: stringValue("10.0.0.1") }),
          drift: objectValue({ mode: stringValue("warn") }),
        },
        decision: { action: "create", reasons: [{ kind: "create" }] },
      },
    ]);
    expect(text).toBe(
      `  # conn3x_file.web__config["web1"] will be created
  + resource "conn3x_file" "web__config" {
      + content  = <<-EOT
            Hello
            there
        EOT
      + empty    = []
      + mode     = "0644"
      + path     = "/etc/motd"
      + revision = (known after apply)
      + size     = 12
      + tags     = [
          + "a",
          + "b",
        ]

      + drift {
          + mode = "warn"
        }
    }

Plan: 1 to create, 0 to update, 0 to replace, 0 to delete, 0 unchanged. Hosts: 1 of 1 change.
`,
    );
  });

  it("shows what goes", () => {
    const text = shown([
      {
        before: { path: "/etc/a", tags: listValue(stringType, [stringValue("a")]), content: "x\n" },
        decision: { action: "delete", reasons: [{ kind: "removed" }] },
      },
    ]);
    expect(text).toContain(
      `  # conn3x_file.web__config["web1"] will be deleted because it is not in the configuration any more
  - resource "conn3x_file" "web__config" {
      - content = <<-EOT
            x
        EOT -> null
      - path    = "/etc/a" -> null
      - tags    = [
          - "a",
        ] -> null
    }
`,
    );
  });

  it("shows changed text as a unified diff with three lines around each change", () => {
    const numbered = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
    const before = `${numbered.join("\n")}\n`;
    const after = before.replace("line 10\n", "line ten\n").replace("line 25\n", "");
    const text = shown([
      {
        before: { content: before },
        after: { content: after },
        decision: { action: "update", reasons: [{ kind: "config", paths: [at("content")] }] },
      },
    ]);
    expect(text).toContain(
      `  # conn3x_file.web__config["web1"] will be updated because its content was edited
  ~ resource "conn3x_file" "web__config" {
      ~ content = <<-EOT
            @@ -7,7 +7,7 @@
            line 7
            line 8
            line 9
          - line 10
          + line ten
            line 11
            line 12
            line 13
            @@ -22,7 +22,6 @@
            line 22
            line 23
            line 24
          - line 25
            line 26
            line 27
            line 28
        EOT
    }
`,
    );
  });

  it("shows all of a short text, and a missing line end", () => {
    const text = shown([
      { before: { content: "a\nb\n" }, after: { content: "a\nb" }, decision: { action: "update" } },
    ]);
    expect(text).toContain(
      `      ~ content = <<-EOT
            a
          - b
          + b
            \\ No newline at end of file
        EOT
`,
    );
  });

  it("never shows what is sensitive", () => {
    const text = shown([
      {
        before: {
          content: secret("old-secret\n"),
          list: tupleValue([secret("s1"), stringValue("x")]),
          gone: secret("s2"),
        },
        after: {
          content: stringValue("new-secret\n"),
          list: tupleValue([secret("s3"), stringValue("x")]),
          gone: nullValue(stringType),
        },
        decision: { action: "update" },
      },
      { host: "web2", after: { content: secret("s4") }, decision: { action: "create" } },
    ]);
    expect(text).not.toMatch(/secret\b(?! value)|s[1-4]/);
    expect(text).toContain("      ~ content = (sensitive value)\n");
    expect(text).toContain("          ~ (sensitive value),\n");
    expect(text).toContain("      - gone    = (sensitive value) -> null\n");
    expect(text).toContain("      + content = (sensitive value)\n");
  });

  it("says binary of what is not text", () => {
    const text = shown([
      {
        before: { content: "\0\x01" },
        after: { content: `\0${"x".repeat(1234)}` },
        decision: { action: "update" },
      },
    ]);
    expect(text).toContain("      ~ content = (binary, 2 bytes) -> (binary, 1.2 kB)\n");
  });

  it("lets content not steer the terminal", () => {
    const text = shown([
      { before: { content: "a\n" }, after: { content: "\x1b]0;x\n" }, decision: { action: "update" } },
    ]);
    expect(text).not.toContain("\x1b");
    expect(text).toContain("+ ␛]0;x");
  });

  it("tells what changed on the host from what was edited", () => {
    const text = shown([
      {
        before: { content: "a", mode: "0600" },
        after: { content: "b", mode: "0644" },
        decision: {
          action: "update",
          reasons: [
            { kind: "config", paths: [at("content")] },
            { kind: "drift", paths: [at("mode")] },
          ],
          edits: [{ path: at("content"), before: stringValue("a"), after: stringValue("b") }],
          drift: [{ path: at("mode"), before: stringValue("0644"), after: stringValue("0600") }],
        },
      },
    ]);
    expect(text).toContain(
      `  # conn3x_file.web__config["web1"] will be updated because its content was edited and its mode changed on the host
  ~ resource "conn3x_file" "web__config" {
      ~ content = "a" -> "b"
      ~ mode    = "0600" -> "0644"  # changed on the host
    }
`,
    );
  });

  it("shows maps, lists and blocks by what differs in them", () => {
    const strings = (entries: Record<string, string>) =>
      mapValue(stringType, new Map(Object.entries(entries).map(([key, text]) => [key, stringValue(text)])));
    const list = (...texts: string[]) => listValue(stringType, texts.map(stringValue));
    const text = shown([
      {
        before: {
          environment: strings({ A: "1", B: "2", LONG: "3" }),
          groups: list("a", "b", "c"),
          ssh: objectValue({
            address: stringValue("x"),
            user: stringValue("u"),
            key: nullValue(stringType),
          }),
        },
        after: {
          environment: strings({ A: "1", B: "4", "C D": "5" }),
          groups: list("a", "x", "c", "d"),
          ssh: objectValue({
            address: stringValue("y"),
            user: stringValue("u"),
            key: nullValue(stringType),
          }),
        },
        decision: { action: "update" },
      },
    ]);
    expect(text).toContain(
      `      ~ environment = {
          ~ "B"    = "2" -> "4"
          + "C D"  = "5"
          - "LONG" = "3" -> null
            # (1 unchanged element hidden)
        }
      ~ groups      = [
          ~ "b" -> "x",
          + "d",
            # (2 unchanged elements hidden)
        ]

      ~ ssh {
          ~ address = "x" -> "y"
            # (1 unchanged attribute hidden)
        }
    }
`,
    );
  });

  it("shows a list that is not known yet", () => {
    const text = shown([
      {
        before: { groups: tupleValue([stringValue("a")]) },
        after: { groups: unknownValue(dynamicType) },
        decision: { action: "update" },
      },
    ]);
    expect(text).toContain(
      `      ~ groups = [
          - "a",
        ] -> (known after apply)
`,
    );
  });

  it("says when there is nothing to do", () => {
    const same: Given = { before: { path: "/a" }, after: { path: "/a" }, decision: { action: "none" } };
    expect(renderPlan(plan([change(same), change({ ...same, host: "web2" })]), options)).toBe(`
No changes. The hosts match the configuration.

2 instances on 2 hosts compared, nothing to do.
`);
  });

  it("never says more than what was read", () => {
    const same: Given = { before: { path: "/a" }, after: { path: "/a" }, decision: { action: "none" } };
    const away: Given = { ...same, host: "web2", unread: true };
    expect(renderPlan(plan([change(same), change(away)]), options)).toBe(`
No changes. The hosts that were read match the configuration.

1 instance on 1 host compared, nothing to do. 1 of 2 hosts was not read: web2.
`);
    expect(renderPlan(plan([change(away)]), options)).toBe(
      "\nNo changes. The state matches the configuration. No host was read: what is on them may differ.\n",
    );
    expect(renderPlan(plan([]), options)).toBe(
      "\nNo changes. The configuration describes nothing on any host.\n",
    );
    expect(shown([away, driftedFile("web1", "a")])).toContain(
      "1 unchanged. Hosts: 1 of 2 change. 1 of 2 hosts was not read: web2.\n",
    );
  });

  it("counts no hosts where resources are of no circuit", () => {
    const same: Given = { before: { path: "/a" }, after: { path: "/a" }, decision: { action: "none" } };
    const alone = { ...change(same), host: undefined };
    expect(renderPlan(plan([alone]), options)).toBe(
      "\nNo changes. The hosts match the configuration.\n\n1 instance compared, nothing to do.\n",
    );
    expect(renderPlan(plan([alone, { ...alone, unread: true }]), options)).toBe(
      "\nNo changes. The hosts that were read match the configuration.\n\n1 instance compared, nothing to do.\n",
    );
  });

  it("does not count the handlers of hosts that were not read", () => {
    const same: Given = { before: { path: "/a" }, after: { path: "/a" }, decision: { action: "none" } };
    const handler = { ...same, member: "reload", kind: "service_action" };
    const away: Given = { ...same, host: "web2", unread: true };
    const changes = [change(same), change(handler), change(away), change({ ...handler, host: "web2" })];
    expect(renderPlan(plan(changes), options)).toContain(
      "2 instances on 1 host compared, nothing to do. 1 of 2 hosts was not read: web2.\n",
    );
  });

  it("tells a host that was read in part from one that was not", () => {
    const same: Given = { before: { path: "/a" }, after: { path: "/a" }, decision: { action: "none" } };
    const other: Given = { ...same, member: "other", unread: true };
    expect(renderPlan(plan([change(same), change(other)]), options)).toBe(`
No changes. What was read matches the configuration.

1 instance on 1 host compared, nothing to do. 1 of 1 host was read in part: web1.
`);
    expect(shown([other, driftedFile("web1", "a"), { ...other, host: "web2" }])).toContain(
      " 1 of 2 hosts was not read: web2. 1 of 2 hosts was read in part: web1.\n",
    );
    // Neither a handler nor a command that was run says anything of what is on a host; what is to be made was looked for.
    const handler: Given = { ...same, kind: "service_action" };
    const made: Given = { after: { path: "/b" }, member: "made", decision: { action: "create" } };
    const ran: Given = { ...same, kind: "command" };
    expect(shown([other, handler, ran, driftedFile("web2", "a")])).toContain(
      " 1 of 2 hosts was not read: web1.\n",
    );
    expect(shown([other, made])).toContain(" 1 of 1 host was read in part: web1.\n");
    expect(shown([other, { ...made, unread: true }])).toContain(" 1 of 1 host was not read: web1.\n");
  });

  it("counts what is kept apart from what is deleted", () => {
    const goes = (keeps?: "there_before" | "no_object"): Given => ({
      before: { path: "/a" },
      decision: { action: "delete", reasons: [{ kind: "destroy" }], ...(keeps ? { keeps } : {}) },
    });
    const text = shown([goes("there_before"), { ...goes(), host: "web2" }]);
    expect(text).toContain("will be forgotten and kept on the host (Conn3x did not make it)\n");
    expect(text).toContain('["web2"] will be destroyed\n');
    expect(text).toContain("1 to delete, 1 to forget and keep, 0 unchanged.");
    expect(shown([goes("no_object"), { ...goes(), host: "web2" }])).toContain(
      "1 to delete, 1 to forget, 0 unchanged.",
    );
  });

  it("shows changed outputs", () => {
    const outputs = [
      { name: "same", before: stringValue("x"), after: stringValue("x"), sensitive: false },
      { name: "url", before: stringValue("a"), after: stringValue("b"), sensitive: false },
      { name: "token", before: undefined, after: stringValue("t0p"), sensitive: true },
    ];
    expect(
      renderPlan(plan([], { outputs }), options),
    ).toBe(`Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 0 unchanged.

Changes to outputs:
  ~ url   = "a" -> "b"
  + token = (sensitive value)
`);
  });

  it("colours marks", () => {
    const text = renderPlan(plan([change(driftedFile("web1", "a"))]), {
      ...options,
      colors: pico.createColors(true),
    });
    expect(text).toContain("\x1b[33m      ~\x1b[39m mode");
  });
});
