/**
 * @module The state that an engine could store nowhere. It hands it over among its output, where nobody would find it: it is
 * kept in a file, or else what it says is done is named.
 * Source: OpenTofu and Terraform, `views/json_view.go`, `StateDump`
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { instanceAddress, resourceAddress } from "../../values/address.ts";
import { type Json, jsonText } from "../../values/json/json.ts";
import { arrayAt, keyAt, objectAt, textAt } from "../program/json.ts";

/** The message that the state comes with. */
export const stateDump = "Emergency state dump";

/**
 * @param state in the form of a state file
 * @param directories to try, in order
 * @returns the last that is said: where it is, or what is recorded nowhere
 */
export async function rescueState(
  state: Json,
  directories: readonly string[] = [".", tmpdir(), "/dev/shm"],
): Promise<Diagnostic> {
  const text = `${jsonText(state)}\n`;
  for (const directory of directories) {
    const path = join(
      directory,
      directory === "." ? "errored.tfstate" : `conn3x-errored-${process.pid}.tfstate`,
    );
    try {
      await replaceFile(path, text, { mode: 0o600 });
      return errorDiagnostic(
        "State is in another place",
        `What this run did is in ${path} and nowhere else. Make room, and store it before anything else is done: conn3x state push ${path}, with the same -engine. Where half a state file was left, it goes into its place instead. Remove it then: it may hold secrets.`,
      );
    } catch {
      // The next may have room.
    }
  }
  return errorDiagnostic(
    "Something was done and is recorded nowhere",
    `The state could be written nowhere, so that the next run does not know of what this one did, and does it again, commands as well. The state would have had:\n${instancesIn(state).join("\n")}`,
  );
}

/** `    conn3x_file.web__page["web1"] on 10.0.1.5` */
const instancesIn = (state: Json): readonly string[] =>
  arrayAt(state, "resources").flatMap((resource) => {
    const module = textAt(resource, "module") ?? "";
    const [type, name] = [textAt(resource, "type") ?? "", textAt(resource, "name") ?? ""];
    return arrayAt(resource, "instances").map((instance) => {
      const address = textAt(objectAt(objectAt(instance, "attributes"), "ssh"), "address");
      const where = instanceAddress(resourceAddress({ module, type, name }), keyAt(instance, "index_key"));
      return `    ${where}${address === undefined ? "" : ` on ${address}`}`;
    });
  });
