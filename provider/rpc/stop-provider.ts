/**
 * @module StopProvider: the user asked to stop. What is in flight ends cleanly and answers its own call.
 */
import { field, message, string } from "../wire/protobuf.ts";
import { rpc } from "./rpc.ts";

export const stopProvider = rpc({
  name: "StopProvider",
  request: message({}),
  response: message({ error: field(1, string) }),
  handle: (_, { provider, log }) => {
    log("info", "asked to stop");
    provider.stop();
    return { error: "" };
  },
  failed: (problems) => ({
    error: problems.map(({ summary, detail }) => `${summary}. ${detail}`).join("\n"),
  }),
});
