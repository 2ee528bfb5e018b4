/**
 * @module A state in a file of this machine, as OpenTofu's local backend has it. A new one is for its owner only, which
 * OpenTofu's is not: it holds secrets. Who shares it gives it another mode, which is kept.
 */
import { createHash } from "node:crypto";
import { replaceFile } from "../../files/replace-file.ts";
import { backUp } from "./backup.ts";
import { encoded } from "./encoded.ts";
import { forceUnlockFile, lockState } from "./lock.ts";
import type { StateBackend, StateLocation } from "./state-backend.ts";
import { hashIfThere, stateFileText, textIfThere } from "./state-file-text.ts";
import { journalPath } from "./store.ts";

/** How long completed work may be in the journal only. Milliseconds. */
export const foldInterval = 2000;

export const fileBackend = (path: string): StateBackend => ({
  name: path,
  journal: journalPath(path),
  foldInterval,
  isRemote: false,
  lock: (terms) => lockState({ ...terms, statePath: path }),
  forceUnlock: (id) => forceUnlockFile(path, id),
  read: () => stateFileText(path),
  hashOf: (text) =>
    text === undefined || text === "" ? "none" : createHash("sha256").update(text).digest("hex"),
  encode: encoded,
  presentHash: async () => (await hashIfThere(path)) ?? "none",
  async backUp() {
    const old = await textIfThere(path);
    if (old !== undefined && old !== "") await backUp(path, old);
  },
  write: ({ bytes }) => replaceFile(path, bytes, { fresh: 0o600 }),
  close: async () => undefined,
});

export const backendAt = (location: StateLocation): StateBackend =>
  typeof location === "string" ? fileBackend(location) : location;
