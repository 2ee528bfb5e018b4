import pico from "picocolors";
import { expect, test } from "vitest";
import { at } from "../../values/path.ts";
import { stringValue } from "../../values/value.ts";
import { driftedOf, driftSummary, renderDrift } from "./drift.ts";
import { change, plan } from "./testing/planned.ts";

const colors = pico.createColors(false);
const edited = change({
  decision: {
    action: "none",
    drift: [
      { path: at("mode"), before: stringValue("0644"), after: stringValue("0600") },
      { path: at("owner"), before: undefined, after: stringValue("root\u001b[31m") },
      { path: at("content"), before: stringValue("a\nb\n"), after: stringValue("a\nc\n") },
    ],
  },
});
const gone = change({
  host: "web2",
  member: "site",
  decision: { action: "none", reasons: [{ kind: "gone" }] },
});
const same = change({ host: "web3", decision: { action: "none" } });
const away = change({ host: "web4", unread: true, decision: { action: "none" } });

test("by host and step, expected and found; control characters are shown as pictures", () => {
  const drifted = driftedOf([edited, gone, same]);
  expect(renderDrift(drifted, colors)).toBe(`
Host web1:
  step config (conn3x_file.web__config["web1"])
    mode: expected "0644", found "0600"
    owner: expected nothing, found "root\\u001b[31m"
    ~ content: <<-EOT
          a
        - b
        + c
      EOT

Host web2:
  step site (conn3x_file.web__site["web2"]) is gone from the host
`);
});

test("the summary counts what was read, and names what was not", () => {
  const all = plan([edited, gone, same, away]);
  expect(driftSummary(all, driftedOf(all.changes), colors)).toBe(
    "Drift: 2 instances on 2 of 4 hosts. Not read: web4.",
  );
  expect(driftSummary(plan([same, away]), [], colors)).toBe(
    "No drift in what was read: 1 instance on 1 host. Not read: web4.",
  );
  const [read, other] = [true, false].map((known) =>
    change({
      member: known ? "config" : "other",
      before: { path: "/a" },
      ...(known ? {} : { unread: true }),
      decision: { action: "none" },
    }),
  );
  expect(driftSummary(plan([read!, other!]), [], colors)).toBe(
    "No drift in what was read: 1 instance on 1 host. Read in part: web1.",
  );
});
