/**
 * @module The engines against each other on real hosts: the embedded one lives a story, each other engine that is here lives
 * the same, and then they take turns. Plans with their reasons, hosts and states must be equal after every chapter.
 */
import { beforeAll, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { type ChapterRecord, chapters, live, type Telling } from "./engines-story.ts";

/**
 * @param how whether each engine lives the story by itself, or all of them in turns on one state
 * @param telling how the story is written down; undefined: without modules
 */
export function describeEngines(name: string, how: "each" | "in turns", telling?: Telling): void {
  describeLab(name, () => {
    const lab = labHosts(2);
    const engines = findEngines();
    let embedded: readonly ChapterRecord[];
    beforeAll(async () => {
      embedded = await live(lab, () => [], telling);
    }, 300_000);
    const reset = () => Promise.all(lab.hosts.map((host) => host.reset()));

    test("the story goes as it should with the embedded engine", () => {
      const statuses = embedded.map(({ chapter, planStatus, applyStatus }) => [
        chapter,
        planStatus,
        applyStatus,
      ]);
      expect(statuses).toEqual([
        ["create", 2, 0],
        ["nothing to do", 0, 0],
        ["an edit for one host", 2, 0],
        ["drift is put back and runs the handler", 2, 0],
        ["what is gone is made again", 2, 0],
        ["keys of a step come and go", 2, 0],
        ["a host does not answer", 2, undefined],
        ["a step fails", 2, 1],
        ["a handler fails", 2, 1],
        ["its handler is still pending", 2, 1],
        ["the handler runs at last", 2, 0],
        ["a host leaves", 2, 0],
        ["destroy", 2, 0],
      ]);
    });

    for (const { name, version, program } of how === "each" ? engines : []) {
      test(`${name} ${version} has the same plans, hosts and states`, { timeout: 300_000 }, async () => {
        await reset();
        const other = await live(lab, () => [`-engine=${program}`], telling);
        for (const [index, record] of embedded.entries()) expect(other[index]).toEqual(record);
      });
    }

    test.skipIf(engines.length === 0 || how === "each")(
      "engines that take turns on one state notice nothing of each other",
      { timeout: 300_000 },
      async () => {
        await reset();
        const options = [[], ...engines.map(({ program }) => [`-engine=${program}`])];
        const turns = await live(lab, (chapter) => options[chapter % options.length]!, telling);
        for (const [index, record] of embedded.entries()) expect(turns[index]).toEqual(record);
        expect(chapters.length).toBeGreaterThan(options.length);
      },
    );
  });
}
