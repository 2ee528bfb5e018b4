import { describe, expect, test } from "vitest";
import { HostError } from "../../ssh/host-error.ts";
import { hostError, hostWarning, isAboutWholeHost } from "./host-diagnostics.ts";

describe("what is said about a host", () => {
  test.each([
    ["web1:2201", "no answer", "web1:2201: no answer."],
    ["web1:2201", "no connection to web1 port 2201", "no connection to web1 port 2201."],
    ["[::1]:2201", "no connection to ::1 port 2201", "no connection to ::1 port 2201."],
    ["web1:2201", "the shell on web1:2201 ended", "the shell on web1:2201 ended."],
    ["web1:2201", "no connection to web1 port 2202", "web1:2201: no connection to web1 port 2202."],
  ])("names %s once: %s", (host, message, detail) => {
    expect(hostError(new HostError("unreachable", host, message)).detail).toBe(detail);
  });

  test("is followed by advice, and by what it means", () => {
    const lost = new HostError("lost", "web1", "web1 was lost", "Look there", true);
    expect(hostError(lost)).toMatchObject({
      severity: "error",
      detail: expect.stringMatching(/^web1 was lost\.\nLook there\.\nIt was being done .*\.$/),
    });
    expect(hostWarning(lost)).toMatchObject({
      severity: "warning",
      detail: expect.stringContaining("stored"),
    });
  });

  test("is known to be about the whole host", () => {
    const error = new HostError("login_refused", "web1", "web1 refused");
    expect(isAboutWholeHost(hostWarning(error))).toBe(true);
    expect(isAboutWholeHost({ summary: "No such package" })).toBe(false);
  });
});

test("a file that cannot be written even by root may be immutable", () => {
  const refused = (message: string) => hostError(new HostError("write", "web1", message)).detail;
  expect(refused("web1: mv: cannot move: Operation not permitted")).toContain("chattr -i");
  expect(refused("web1: No space left on device")).not.toContain("chattr");
});
