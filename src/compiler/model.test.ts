import { describe, expect, it } from "vitest";
import { compileText, goodStep, inCircuit } from "./testing/marked.ts";

const reload = 'handler "reload" {\n    service {\n      name = "nginx"\n      action = "reload"\n    }\n  }';

describe("what a configuration says of addresses", () => {
  const resource = (type: string, name: string, key?: string | number) => ({ type, name, key });

  it("has the addresses of moved blocks in parts", () => {
    const { moved, diagnostics } = compileText(`
moved {
  from = module.a["x"].module.b.conn3x_file.web__a["h/1"]
  to   = conn3x_file.web__b[0]
}
moved {
  from = module.a
  to   = module.b["y"]
}
`);
    expect(diagnostics).toEqual([]);
    expect(moved).toMatchObject([
      {
        from: {
          modules: [
            { name: "a", key: "x" },
            { name: "b", key: undefined },
          ],
          resource: resource("conn3x_file", "web__a", "h/1"),
        },
        to: { modules: [], resource: resource("conn3x_file", "web__b", 0) },
      },
      {
        from: { modules: [{ name: "a", key: undefined }], resource: undefined },
        to: { modules: [{ name: "b", key: "y" }], resource: undefined },
      },
    ]);
  });

  it.each(["a.b.c", "module", 'module["x"].a', "a.b[var.x]", '"a.b"', "a", "a[0].b"])(
    "takes %s for no address",
    (text) => {
      const { moved, diagnostics } = compileText(`moved {\n  from = ${text}\n  to = a.b\n}\n`);
      expect(moved).toEqual([]);
      expect(diagnostics.map(({ summary }) => summary)).toEqual(['"from" is not an address']);
    },
  );

  it("has what is removed, and whether that is to go from its host", () => {
    const { removed } = compileText(`
removed {
  from = conn3x_file.a
}
removed {
  from = conn3x_file.b
  lifecycle {
    destroy = false
  }
}
`);
    expect(removed.map(({ from, destroy }) => [from.resource?.name, destroy])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it("has what is imported", () => {
    const { imports } = compileText(
      'import {\n  for_each = { a = "x" }\n  to = conn3x_file.a[each.key]\n  id = each.value\n}\n',
    );
    expect(imports).toMatchObject([
      { to: { kind: "index" }, id: { name: "value" }, forEach: { kind: "object" } },
    ]);
  });

  it("has the moves of a circuit's members among the others", () => {
    const { moved, circuits } = compileText(
      inCircuit(`  ${goodStep("a")}\n  moved {\n    from = step.b\n    to = step.a\n  }`),
    );
    expect(moved).toMatchObject([
      { from: { resource: { name: "web__b" } }, to: { resource: resource("conn3x_file", "web__a") } },
    ]);
    expect(circuits[0]!.moved).toEqual(moved);
  });
});

describe("what a configuration says of circuits", () => {
  it("has how a circuit goes through its hosts", () => {
    const { circuits, diagnostics } = compileText(
      inCircuit(
        `  order = "host"\n  on_failure = "stop"\n  on_host_gone = "forget"\n  rollout {\n    batch = "25%"\n    max_failures = 1\n  }`,
      ),
    );
    expect(circuits[0]).toMatchObject({
      order: "host",
      onFailure: "stop",
      onHostGone: "forget",
      rollout: { batch: { kind: "template" }, maxFailures: { text: "1" }, pause: undefined },
    });
    expect(diagnostics).toEqual([]);
  });

  it("has the usual ways where nothing is said", () => {
    const { circuits } = compileText(inCircuit(`  ${goodStep("a")}`));
    expect(circuits[0]).toMatchObject({
      order: "step",
      onFailure: "host",
      onHostGone: "fail",
      rollout: undefined,
      facts: undefined,
    });
  });

  it("names the resource of a circuit's facts, which is where they are asked for", () => {
    const { circuits, resources } = compileText(
      inCircuit(`  ${goodStep("a", "    when = host.facts.os == 1")}`),
    );
    expect(circuits[0]!.facts).toBe("conn3x_facts.web__facts");
    expect(resources.map(({ address, dependsOn }) => [address, dependsOn])).toEqual([
      ["conn3x_file.web__a", ["conn3x_facts.web__facts"]],
      ["conn3x_facts.web__facts", []],
    ]);
  });

  it("says of a resource what its step does differently", () => {
    const { resources } = compileText(
      inCircuit(
        `  ${goodStep("a", "    run_once = true\n    ignore_errors = host.vars.x\n    retries {\n      attempts = 3\n    }\n    notify = [handler.reload]")}\n  ${reload}`,
      ),
    );
    expect(resources.map(({ origin }) => origin)).toMatchObject([
      {
        member: "a",
        role: "step",
        runOnce: true,
        retries: { attempts: { text: "3" }, interval: undefined },
        ignoreErrors: { kind: "attributeAccess" },
      },
      { member: "reload", role: "handler" },
    ]);
  });
});
