/**
 * @module Asks a URL from the controller.
 */
import type { CommandAnswer, UrlQuestion } from "../../resources/operation.ts";

/** Seconds for one answer. */
const patience = 10;

/**
 * Status 0 when it answers as expected; otherwise standard error says what it did. Never rejects.
 *
 * @param stopping aborted when nobody waits for the answer any more
 */
export async function askUrl(
  { url, statuses, wanted, timeout = patience }: UrlQuestion,
  stopping?: AbortSignal,
): Promise<CommandAnswer> {
  const late = AbortSignal.timeout(Math.min(timeout, patience) * 1000);
  const { status, said } = await statusOf(url, stopping ? AbortSignal.any([late, stopping]) : late);
  const isSo = status !== undefined && statuses.includes(status);
  return {
    status: isSo === wanted ? 0 : 1,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(isSo === wanted ? "" : said),
  };
}

async function statusOf(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly status?: number; readonly said: string }> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal });
    await answer.body?.cancel();
    return { status: answer.status, said: `it answered with status ${answer.status}` };
  } catch (error) {
    const { cause, message } = error as Error;
    return { said: cause instanceof Error && cause.message !== "" ? cause.message : message };
  }
}
