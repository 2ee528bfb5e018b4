/**
 * What a person sees of six situations, at four widths: each screen is a file that can be read and judged. A screen that
 * is to change is deleted and written again by `CONN3X_WRITE_SCREENS=1 npx vitest run --project unit screens`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pico from "picocolors";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../diagnostics/visible.ts";
import type { Plan, PlannedChange } from "../../../engine/plan.ts";
import { withMark } from "../../../values/marks.ts";
import { at } from "../../../values/path.ts";
import { listOf, stringType } from "../../../values/type.ts";
import {
  boolValue,
  listValue,
  nullValue,
  stringValue,
  tupleValue,
  unknownValue,
} from "../../../values/value.ts";
import { planMarkdown } from "../markdown/plan-markdown.ts";
import { renderPlan } from "../plan.ts";
import { change, type Given, object, plan } from "../testing/planned.ts";

const screens = join(import.meta.dirname, "../../../../test/fixtures/screens");
const writes = process.env.CONN3X_WRITE_SCREENS === "1";

const unknown = unknownValue(stringType);
const secret = (text: string) => withMark(stringValue(text), "sensitive");
const strings = (...texts: readonly string[]) => listValue(stringType, texts.map(stringValue));
const fleet = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `web${i + 1}`);
const on = (hosts: readonly string[], given: (host: string) => Given): readonly PlannedChange[] =>
  hosts.map((host) => change({ ...given(host), host }));

const created = (member: string, kind: string, after: Given["after"] & object, more = {}): Given => ({
  member,
  kind,
  after: { ...after, revision: unknown },
  decision: { action: "create", reasons: [{ kind: "create" }], ...more },
});

const configText = (workers: number, host = "") =>
  `# of ${host || "all"}\nuser www\nlisten 80\nworkers = ${workers}\nlog /var/log/web\n`;

const edited = (host: string, member = "config"): Given => ({
  member,
  before: {
    id: "/etc/web.conf",
    path: "/etc/web.conf",
    content: configText(4, host),
    sha256: "a",
    revision: "1",
  },
  after: {
    id: "/etc/web.conf",
    path: "/etc/web.conf",
    content: configText(8, host),
    sha256: "b",
    revision: unknown,
  },
  decision: { action: "update", reasons: [{ kind: "config", paths: [at("content"), at("sha256")] }] },
});

const reload = (host: string, member = "config"): Given => ({
  member: "reload",
  kind: "service_action",
  before: { id: "nginx", name: "nginx", action: "reload", triggers: tupleValue([stringValue("1")]) },
  after: { id: "nginx", name: "nginx", action: "reload", triggers: tupleValue([unknown]) },
  decision: {
    action: "replace",
    reasons: [{ kind: "triggers", dependencies: [`conn3x_file.web__${member}["${host}"]`] }],
    requiresReplace: [at("triggers")],
  },
});

const unchanged: Given = {
  member: "config",
  before: { id: "/etc/web.conf", path: "/etc/web.conf", revision: "1" },
  after: { id: "/etc/web.conf", path: "/etc/web.conf", revision: "1" },
  decision: { action: "none" },
};

const situations: Readonly<Record<string, () => Plan>> = {
  "one-host-first-time": () =>
    plan(
      [
        created("tools", "package", { id: "curl", name: "curl", state: "present" }),
        created("config", "file", {
          id: "/etc/web.conf",
          path: "/etc/web.conf",
          mode: "0644",
          content: configText(4),
        }),
        created("reload", "service_action", { id: "nginx", name: "nginx", action: "reload" }),
      ].map(change),
    ),
  "three-hosts-first-time": () =>
    plan([
      ...Array.from({ length: 34 }, (_, i) =>
        on(fleet(3), (host) =>
          created(`step${i + 1}`, "file", {
            id: `/etc/web/${i + 1}.conf`,
            path: `/etc/web/${i + 1}.conf`,
            mode: "0644",
            content: i % 5 === 0 ? `# ${host}\nname = ${host}\nnumber = ${i}\n` : `number = ${i}\n`,
          }),
        ),
      ).flat(),
      ...on(fleet(3), () => created("service", "service", { id: "nginx", name: "nginx", running: "true" })),
      ...on(fleet(3), () => ({
        member: "migrate",
        kind: "command",
        after: { run: "bin/migrate --up --to the-newest-version-of-all --with-a-long-name", ran: unknown },
        decision: { action: "create", reasons: [{ kind: "create" }] },
      })),
    ]),
  "one-variable-edited": () =>
    plan(
      Array.from({ length: 15 }, (_, i) => [
        ...on(fleet(3), (host) => edited(host, `config${i + 1}`)),
        ...(i < 14 ? [] : on(fleet(3), (host) => reload(host, "config15"))),
      ]).flat(),
    ),
  "drift-on-one-of-sixty": () =>
    plan([
      ...on(fleet(60), (host) =>
        host === "web7"
          ? {
              member: "config",
              before: {
                id: "/etc/web.conf",
                path: "/etc/web.conf",
                mode: "0666",
                content: `${configText(4)}hacked\n`,
              },
              after: { id: "/etc/web.conf", path: "/etc/web.conf", mode: "0644", content: configText(4) },
              decision: {
                action: "update",
                reasons: [{ kind: "drift", paths: [at("mode"), at("content")] }],
              },
            }
          : unchanged,
      ),
      ...on(["web7"], (host) => reload(host)),
    ]),
  everything: () =>
    plan([
      ...on(fleet(12), (host) => (host === "web9" ? unchanged : edited(host))),
      ...on(["web1", "web2"], () =>
        created(
          "notes",
          "file",
          { id: "/etc/notes", path: "/etc/notes", mode: "0644", content: "new\n" },
          {
            found: "different",
            existing: object({ id: "/etc/notes", path: "/etc/notes", mode: "0600", content: "old\n" }),
          },
        ),
      ),
      ...on(["web3"], () =>
        created("here", "file", { id: "/etc/here", path: "/etc/here" }, { found: "as_wanted" }),
      ),
      ...on(fleet(3), (host) => ({
        member: "token",
        before: { id: "/etc/token", path: "/etc/token", content: secret(`a\n${host}\nb\n`), revision: "1" },
        after: {
          id: "/etc/token",
          path: "/etc/token",
          content: secret(`a\n${host}\nc\nd\n`),
          revision: unknown,
        },
        decision: { action: "update", reasons: [{ kind: "config", paths: [at("content")] }] },
      })),
      ...on(["web1"], () => ({
        member: "mail",
        kind: "package",
        before: { id: "exim4", name: "exim4", revision: "1" },
        decision: {
          action: "delete",
          reasons: [{ kind: "removed" }],
          besides: ["removes bsd-mailx 8.1.2-0.2", "removes mailutils 1:3.15-4"],
        },
      })),
      ...on(["web1"], () => ({
        member: "old",
        before: { id: "/etc/old", path: "/etc/old", revision: "1" },
        decision: { action: "delete", reasons: [{ kind: "removed" }], keeps: "there_before" },
      })),
      ...on(["web2"], () => ({
        member: "data",
        kind: "directory",
        before: { id: "/srv/data", path: "/srv/data", revision: "1" },
        after: { id: "/srv/store", path: "/srv/store", revision: unknown },
        decision: {
          action: "replace",
          reasons: [{ kind: "identity", paths: [at("path")] }],
          requiresReplace: [at("path")],
        },
      })),
      change({
        host: "web1",
        key: "vim",
        member: "tools",
        kind: "package",
        after: { id: "vim", name: "vim" },
        decision: { action: "create", reasons: [{ kind: "create" }] },
      }),
      ...on(["web4"], () => ({
        member: "setup",
        kind: "command_action",
        before: { run: "a", triggers: listValue(stringType, [stringValue("1")]) },
        after: { run: "set -e\nbin/one\nbin/two\n", triggers: listValue(stringType, [unknown]) },
        decision: {
          action: "replace",
          reasons: [{ kind: "triggers", dependencies: ['conn3x_file.web__config["web4"]'] }],
        },
      })),
      ...on(
        fleet(12).filter((host) => host !== "web9"),
        (host) => reload(host),
      ),
    ]),
  "small-words": () =>
    plan([
      // A guard decides when it is the command's turn.
      ...on(fleet(2), () =>
        created("setup", "command", {
          run: "bin/setup",
          creates: "/srv/done",
          unless: "test -e /srv/off\ntrue",
          only_if: "test -x bin/setup",
        }),
      ),
      ...on(["web1"], () => ({
        member: "tree",
        kind: "directory",
        before: {
          id: "/srv/tree",
          path: "/srv/tree",
          recurse: boolValue(false),
          differing: strings("a", "b c"),
          managed: strings("/srv/tree/x"),
          revision: "1",
        },
        after: {
          id: "/srv/tree",
          path: "/srv/tree",
          recurse: boolValue(true),
          differing: nullValue(listOf(stringType)),
          managed: strings("/srv/tree/x", "/srv/tree/y"),
          revision: unknown,
        },
        decision: {
          action: "update",
          reasons: [
            { kind: "config", paths: [at("managed", 1)] },
            { kind: "drift", paths: [at("recurse")] },
          ],
        },
      })),
      ...on(["web1"], () => ({
        member: "secret",
        before: { id: "/srv/secret", path: "/srv/secret", revision: "1" },
        after: { id: "/srv/secret", path: "/srv/secret", revision: unknown },
        decision: { action: "update", reasons: [{ kind: "config", paths: [at("secret_content")] }] },
      })),
      ...on(["web2"], () => ({
        member: "tools",
        kind: "package",
        before: { id: "jq, tree", names: strings("tree", "jq"), version: "1", revision: "1" },
        after: { id: "htop, tree", names: strings("tree", "htop"), version: unknown, revision: unknown },
        unread: true,
        decision: { action: "update", reasons: [{ kind: "config", paths: [at("names", 1)] }] },
      })),
      change({
        host: "web2",
        member: "notes",
        before: { id: "/srv/notes", path: "/srv/notes", revision: "1" },
        after: { id: "/srv/notes", path: "/srv/notes", revision: "1" },
        movedFrom: 'conn3x_file.web__old["web9"]',
        decision: { action: "none" },
      }),
      ...on(["web1"], () => ({
        member: "gone",
        kind: "directory",
        before: { id: "/srv/gone", path: "/srv/gone", revision: "gone1" },
        decision: { action: "delete", reasons: [{ kind: "removed" }] },
      })),
      ...on(["web1"], () => ({
        member: "reload",
        kind: "service_action",
        before: { id: "nginx", name: "nginx", action: "reload", triggers: strings("1", "gone1") },
        after: { id: "nginx", name: "nginx", action: "reload", triggers: strings("1") },
        decision: { action: "replace", reasons: [{ kind: "triggers" }], requiresReplace: [at("triggers")] },
      })),
    ]),
};

describe.each(Object.entries(situations))("%s", (situation, planned) => {
  test.each([60, 80, 120, 200])("in %i columns", (width) => {
    const colors = pico.createColors(false);
    const text = renderPlan(planned(), { colors, width, format: "circuits", expand: false });
    const file = join(screens, situation, `${width}.txt`);
    if (writes && !existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, "utf8"));
    // A row breaks between words; a line of a difference is a line of its text.
    const wide = text.split("\n").filter((line) => displayWidth(line) > width && !/^ {6,}[-+~ ] /.test(line));
    expect(wide.filter((line) => line.trim().includes(" ") && line.trim().length > width)).toEqual([]);
  });

  test("in Markdown", () => {
    const text = planMarkdown(planned(), []);
    const file = join(screens, situation, "comment.md");
    if (writes && !existsSync(file)) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
  });

  test("is told apart by marks and words, not by colours alone", () => {
    const options = { width: 120, format: "circuits", expand: false } as const;
    const colored = renderPlan(planned(), { ...options, colors: pico.createColors(true) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(
      renderPlan(planned(), { ...options, colors: pico.createColors(false) }),
    );
  });
});

test("a long text begins with its first lines, and -expand shows all of it", () => {
  const content = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");
  const planned = plan([change(created("long", "file", { id: "/a", path: "/a", content }))]);
  const shown = (expand: boolean) =>
    renderPlan(planned, { colors: pico.createColors(false), width: 80, format: "circuits", expand });
  expect(shown(false)).toContain("      + line 6\n      + 3 more lines (-expand shows them)\n");
  expect(shown(true)).toContain("      + line 8\n      + line 9\n");
});

test("the documentation shows one of them", () => {
  const documentation = readFileSync(join(import.meta.dirname, "../../../../docs/plan.md"), "utf8");
  expect(documentation).toContain(readFileSync(join(screens, "everything/120.txt"), "utf8").trim());
});
