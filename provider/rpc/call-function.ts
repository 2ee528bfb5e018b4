/**
 * @module CallFunction: there are no functions, and this one call answers with a text instead of diagnostics.
 */
import { field, message, nested, string } from "../wire/protobuf.ts";
import { rpc } from "./rpc.ts";

const functionError = message({ text: field(1, string) });

export const callFunction = rpc({
  name: "CallFunction",
  request: message({ name: field(1, string) }),
  response: message({
    error: field(
      2,
      nested(() => functionError),
    ),
  }),
  handle: ({ name }) => ({ error: { text: `Conn3x has no function "${name}"` } }),
  failed: (problems) => ({
    error: { text: problems.map(({ summary, detail }) => `${summary}. ${detail}`).join("\n") },
  }),
});
