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
  const { status, answered } = await statusOf(url, stopping ? AbortSignal.any([late, stopping]) : late);
  const isSo = status !== undefined && statuses.includes(status);
  return {
    status: isSo === wanted ? 0 : 1,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(isSo === wanted ? "" : answered),
  };
}

async function statusOf(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly status?: number; readonly answered: string }> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal });
    // Its status is all that counts, and a body may have no end.
    await answer.body?.cancel();
    return { status: answer.status, answered: `it answered with status ${answer.status}` };
  } catch (error) {
    return { answered: whyNot(error as Error) };
  }
}

/** Only what the system and the network say: other messages have the URL in them, which may have a password. */
function whyNot({ name, cause }: Error): string {
  if (name === "TimeoutError") return "it did not answer in time";
  if (!(cause instanceof Error)) return "it could not be asked";
  const { code = "", syscall } = cause as NodeJS.ErrnoException;
  const isKnown =
    syscall !== undefined || /^(?:UND_ERR|HPE|ERR_TLS|ERR_SSL|CERT|DEPTH|SELF|UNABLE)_/.test(code);
  return isKnown ? systemMessage(cause) : "it does not speak HTTP as it should";
}

const systemMessage = ({ message, name }: Error): string => (message === "" ? name : message);
