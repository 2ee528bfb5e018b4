/**
 * @module ValidateResourceConfig: a resource's configuration, perhaps with unknowns.
 */
import { type Diagnostic, errorDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { BlockSchema } from "../../src/schema/schema.ts";
import { writeOnlySettings } from "../../src/schema/write-only.ts";
import { at } from "../../src/values/path.ts";
import { isNull, type Value } from "../../src/values/value.ts";
import { getPath } from "../../src/values/walk.ts";
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { clientCapabilities, diagnostics, value } from "../wire/messages.ts";
import { field, message, nested, string } from "../wire/protobuf.ts";
import { fromWireValue } from "../wire/values.ts";
import { resourceType, rpc } from "./rpc.ts";

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  request: message({
    typeName: field(1, string),
    config: field(2, value),
    clientCapabilities: field(
      3,
      nested(() => clientCapabilities),
    ),
  }),
  response: message({ diagnostics: field(1, diagnostics) }),
  handle: ({ typeName, config, clientCapabilities: can }, context) => {
    const type = resourceType(typeName, context);
    const object = fromWireValue(config, type);
    const refused = can?.writeOnlyAttributesAllowed
      ? []
      : writeOnlySet(context.provider.schema.resources.get(typeName)!, object);
    return {
      diagnostics: toWireDiagnostics([
        ...refused,
        ...context.provider.validateResourceConfig(typeName, object),
      ]),
    };
  },
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});

/** An engine that does not know of write-only settings would store what they hold. */
function writeOnlySet(schema: BlockSchema, object: Value): readonly Diagnostic[] {
  return writeOnlySettings(schema)
    .filter(({ name }) => {
      const set = getPath(object, at(name));
      return set !== undefined && !isNull(set);
    })
    .map(({ name }) =>
      errorDiagnostic(
        "Engine would store a secret",
        `${name} is write-only, which this engine does not know. Use OpenTofu 1.11, Terraform 1.11, or a newer one.`,
        { attribute: at(name) },
      ),
    );
}
