/**
 * @module Small files of this machine that a login needs: keys, configuration, known hosts. A fleet asks for them all at
 * once, and a system that lets a process open few files is waited for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { readRegular } from "../files/read-regular.ts";
import { createGate } from "./gate.ts";
import { isShortage } from "./system-reason.ts";

/** As many as Node reads at the same time anyway. */
const reading = createGate(4);
/** Milliseconds until a shortage is looked at again, and after which it is no passing one. */
const [pause, longest] = [50, 20_000];

/** @throws the file system's error */
export async function readText(path: string): Promise<string> {
  const leave = await reading.enter();
  try {
    for (const end = Date.now() + longest; ; await sleep(pause)) {
      try {
        return (await readRegular(path)).toString("utf8");
      } catch (error) {
        if (!isShortage(error) || Date.now() > end) throw error;
      }
    }
  } finally {
    leave();
  }
}
