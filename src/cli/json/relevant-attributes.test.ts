import { expect, test } from "vitest";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { change, plan } from "../render/testing/planned.ts";
import { relevantAttributes } from "./relevant-attributes.ts";

const modules = {
  "./m": `
variable "given" {}
variable "other" {}
locals { inner = conn3x_command.first.stdout }
resource "conn3x_command" "first" {
  run = "\${var.given} \${var.other}"
}
resource "conn3x_command" "second" {
  run = local.inner
}
output "out" { value = conn3x_command.second.stdout }
output "unused" { value = conn3x_command.second.stderr }
`,
};
const text = `
locals { through = conn3x_command.root.stdout }
resource "conn3x_command" "root" {
  run = "x"
}
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  given    = local.through
  other    = conn3x_command.root.exit_code
}
module "deep" {
  source = "./m"
  given  = module.m["a"].out
  other  = 1
}
resource "conn3x_command" "after" {
  run = module.deep.out
}
`;
const changed = (...addresses: readonly string[]) =>
  plan(
    addresses.map((address) => ({
      ...change({ decision: { action: "create", reasons: [{ kind: "create" }] } }),
      address,
    })),
  );
const shown = (...addresses: readonly string[]) =>
  relevantAttributes(changed(...addresses), configurationOf(text, modules)).map(
    ({ resource, attribute }) => `${resource} ${attribute.join(".")}`,
  );

// As OpenTofu 1.12.6 and Terraform 1.11.4 have them for such a configuration.
test("through locals, variables and outputs of modules, in every instance", () => {
  expect(
    shown(
      "conn3x_command.root",
      "conn3x_command.after",
      ...['module.m["a"]', 'module.m["b"]', "module.deep"].flatMap((module) => [
        `${module}.conn3x_command.first`,
        `${module}.conn3x_command.second`,
      ]),
    ),
  ).toEqual([
    "conn3x_command.root exit_code",
    "conn3x_command.root stdout",
    "module.deep.conn3x_command.first stdout",
    "module.deep.conn3x_command.second stdout",
    'module.m["a"].conn3x_command.first stdout',
    'module.m["a"].conn3x_command.second stdout',
    'module.m["b"].conn3x_command.first stdout',
  ]);
});

test("only of what changes", () => {
  expect(shown("conn3x_command.root")).toEqual([]);
  expect(shown('module.m["b"].conn3x_command.second')).toEqual(['module.m["b"].conn3x_command.first stdout']);
});
