/** `moved` in a circuit: what becomes of its resources' addresses. */
import { expect, test } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { kinds } from "../../resources/index.ts";
import { formatAddress } from "../../values/address.ts";
import { emitHcl } from "../emit/hcl.ts";
import type { Address } from "../model.ts";
import { embeddedOnly } from "../source/embedded-only.ts";
import { compileFiles } from "../testing/compile-files.ts";

const circuit = (moved: string) => `variable "sites" {
  default = ["x"]
}

circuit "web" {
  hosts = { new = "10.0.1.5" }

  step "config" {
    file {
      path    = "/etc/a"
      content = "x"
    }
    notify = [handler.reload]
  }

  step "sites" {
    for_each = toset(["a", "b"])
    directory {
      path = "/srv/\${each.key}"
    }
  }

  step "more" {
    for_each = toset(var.sites)
    directory {
      path = "/opt/\${each.key}"
    }
  }

  handler "reload" {
    service {
      name   = "nginx"
      action = "reload"
    }
  }

  moved {
    ${moved}
  }
}
`;

const compiled = (moved: string) => {
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", circuit(moved))], {
    directory: ".",
    kinds,
  });
  expect(configuration.diagnostics).toEqual([]);
  return configuration;
};

const text = ({ modules, resource }: Address): string => formatAddress({ modules, ...resource! });
const moves = (moved: string) =>
  compiled(moved).moved.map(({ from, to, hosts }) => [
    text(from),
    text(to),
    ...(hosts === undefined ? [] : [hosts]),
  ]);

test("another name of the circuit moves all that it has", () => {
  expect(moves("from = circuit.old\n    to = circuit.web")).toEqual([
    ["conn3x_file.old__config", "conn3x_file.web__config"],
    ["conn3x_directory.old__sites", "conn3x_directory.web__sites"],
    ["conn3x_directory.old__more", "conn3x_directory.web__more"],
    ["conn3x_service_action.old__reload", "conn3x_service_action.web__reload"],
  ]);
});

test("another name of a host moves what is on it", () => {
  const expected = [
    ['conn3x_file.web__config["old.one"]', 'conn3x_file.web__config["new"]'],
    ['conn3x_directory.web__sites["old.one/a"]', 'conn3x_directory.web__sites["new/a"]'],
    ['conn3x_directory.web__sites["old.one/b"]', 'conn3x_directory.web__sites["new/b"]'],
    ["conn3x_directory.web__more", "conn3x_directory.web__more", { from: "old.one", to: "new" }],
    ['conn3x_service_action.web__reload["old.one"]', 'conn3x_service_action.web__reload["new"]'],
  ];
  expect(moves('from = host["old.one"]\n    to = host.new')).toEqual(expected);
});

test("plain OpenTofu is told what can be told, and who compiles what cannot", () => {
  const configuration = compiled('from = host["old.one"]\n    to = host.new');
  const [output] = [...emitHcl(configuration).values()];
  const blocks = output!.match(/moved \{[^}]*\}/g) ?? [];
  expect(blocks.map((block) => block.replace(/\s+/g, " "))).toEqual([
    'moved { from = conn3x_file.web__config["old.one"] to = conn3x_file.web__config["new"] }',
    'moved { from = conn3x_directory.web__sites["old.one/a"] to = conn3x_directory.web__sites["new/a"] }',
    'moved { from = conn3x_directory.web__sites["old.one/b"] to = conn3x_directory.web__sites["new/b"] }',
    'moved { from = conn3x_service_action.web__reload["old.one"] to = conn3x_service_action.web__reload["new"] }',
  ]);
  expect(embeddedOnly(configuration).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('from = conn3x_directory.web__more["old.one/KEY"]'),
  ]);
});

test("of several former names each leads to the next, and the last one to the present one", () => {
  const several = [
    "from = circuit.old\n    to = circuit.web",
    "from = step.x\n    to = step.config",
    "from = step.y\n    to = step.config",
    "from = host.h1\n    to = host.new",
    "from = host.h2\n    to = host.new",
  ];
  const found = moves(several.join("\n  }\n\n  moved {\n    ")).filter(([from]) =>
    (from as string).startsWith("conn3x_file."),
  );
  expect(found).toEqual([
    ["conn3x_file.old__x", "conn3x_file.old__y"],
    ["conn3x_file.old__y", "conn3x_file.old__config"],
    ["conn3x_file.old__config", "conn3x_file.web__x"],
    ["conn3x_file.web__x", "conn3x_file.web__y"],
    ["conn3x_file.web__y", "conn3x_file.web__config"],
    ['conn3x_file.web__config["h1"]', 'conn3x_file.web__config["h2"]'],
    ['conn3x_file.web__config["h2"]', 'conn3x_file.web__config["new"]'],
  ]);
});
