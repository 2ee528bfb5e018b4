/**
 * @module What a test file of vitest's `lab` project needs: real hosts of its own, and skipping where there can be none.
 *
 * @example
 * const lab = labHosts(2);
 * describeLab("files", () => {
 *   test("a file arrives", async () => {
 *     const [web1] = lab.hosts;
 *     …
 *     expect(await web1.must("cat /etc/motd")).toBe("hello\n");
 *   });
 * });
 */
import { afterAll, beforeAll, describe, inject } from "vitest";
import { acquireHosts, releaseHosts } from "./claims.ts";
import type { LabHost } from "./host.ts";
import { attachLab, type Lab } from "./lab.ts";

/** What the global setup tells the workers: where each of them has its lab, or why there is none. */
export type LabsOfRun = { readonly directories: readonly string[] } | { readonly why: string };

declare module "vitest" {
  export interface ProvidedContext {
    lab: LabsOfRun;
  }
}

const ofRun: LabsOfRun = inject("lab") ?? { why: "this vitest project has no lab" };

/** Of this worker among those that run at the same time, from 0. */
const worker = Number(process.env.VITEST_POOL_ID) - 1;

/** Why lab tests are skipped in this run; undefined when they are not. */
export const labUnavailable: string | undefined = "why" in ofRun ? ofRun.why : undefined;

/** `describe`, skipped where there can be no lab. (With `CI=true` the whole run fails there instead.) */
export const describeLab = describe.skipIf(labUnavailable !== undefined);

/** As many hosts as were asked for, so that `const [web1, web2] = lab.hosts` needs no checks. */
export type Hosts<Count extends number> = Count extends 1
  ? readonly [LabHost]
  : Count extends 2
    ? readonly [LabHost, LabHost]
    : Count extends 3
      ? readonly [LabHost, LabHost, LabHost]
      : readonly LabHost[];

export interface HostsOfFile<Count extends number> {
  /** The lab of this worker. Test files do not bring it down. */
  readonly lab: Lab;
  /** Within tests and hooks only. */
  readonly hosts: Hosts<Count>;
}

/**
 * Claims hosts before the tests of the file (or of the `describe` it is called in) and gives them back afterwards. They
 * are clean and take logins; whatever the tests do to them is undone before another file gets them.
 */
export function labHosts<const Count extends number>(count: Count): HostsOfFile<Count> {
  let claimed: readonly LabHost[] = [];
  const attached = (): Lab => {
    if ("why" in ofRun) throw new Error(`there is no lab: ${ofRun.why}`);
    return attachLab(ofRun.directories[worker % ofRun.directories.length]!);
  };
  beforeAll(async () => {
    if (labUnavailable === undefined) claimed = await acquireHosts(attached(), count);
  });
  afterAll(async () => {
    if (labUnavailable === undefined) await releaseHosts(attached(), claimed);
  });
  return {
    get lab() {
      return attached();
    },
    get hosts() {
      return claimed as unknown as Hosts<Count>;
    },
  };
}
