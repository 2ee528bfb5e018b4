/**
 * @module What stands in a log for a request that may hold something secret.
 */
import type { Written } from "../session.ts";

const instead = "(not shown: something in it may be sensitive)";

export const notWritten: Written = { text: instead, output: () => instead };
