/**
 * @module Workspaces for the tests of a file, with the provider bundled once for all of them.
 */
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import type { Engine } from "./engine.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/**
 * To be called at the top of a file or of a `describe`. What it gives opens workspaces, in tests only; each goes after its
 * test.
 *
 * @param entry the provider's program
 */
export function providerWorkspaces(
  entry = "provider/main.ts",
): (engine: Engine, files: Readonly<Record<string, string>>) => Workspace {
  let provider: { readonly directory: string };
  const open: Workspace[] = [];
  beforeAll(async () => {
    provider = await bundleProvider(entry);
  });
  afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));
  afterEach(() => {
    for (const workspace of open.splice(0)) workspace.remove();
  });
  return (engine, files) => {
    const workspace = openWorkspace({ engine, files, provider });
    open.push(workspace);
    return workspace;
  };
}
