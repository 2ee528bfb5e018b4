/**
 * @module Distinguishes states by their content. A server may keep a state in another form than it got (indented, its
 * members in another order), and OpenTofu counts the serial up when it stores the same once more.
 */
import { createHash } from "node:crypto";

/** @returns hexadecimal digits, the same for all texts of a state; `none` for no text */
export function contentHash(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return "none";
  return createHash("sha256").update(content(text)).digest("hex");
}

/** What is no JSON object stands for itself: it is refused elsewhere. */
function content(text: string): string {
  try {
    const { serial: _, terraform_version: __, ...written } = JSON.parse(text);
    return JSON.stringify(written, inOrder);
  } catch {
    return text;
  }
}

/** The members of objects sorted by name. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
