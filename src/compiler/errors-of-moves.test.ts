/**
 * What is wrong with `moved` blocks beside each other.
 */
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { goodStep, inCircuit } from "./testing/marked.ts";

const move = (from: string, to: string, word = "moved") => `${word} {\n  from = ${from}\n  to   = ${to}\n}\n`;
const inWeb = (...moves: readonly string[]) => inCircuit([`  ${goodStep("a")}`, ...moves].join("\n  "));

const cases: Readonly<Record<string, ErrorCase>> = {
  "the same twice": {
    text: move("conn3x_file.a", "conn3x_file.b") + move("conn3x_file.a", "conn3x_file.b", "«moved»"),
    summary: "conn3x_file.a is moved twice",
    detail: "main.circuit.hcl:1 says the same.",
    severity: "warning",
  },
  "to two places": {
    text: move("conn3x_file.a", "conn3x_file.b") + move("conn3x_file.a", "conn3x_file.c", "«moved»"),
    summary: "conn3x_file.a is moved to two places",
    detail: "At main.circuit.hcl:1 it becomes conn3x_file.b, here it becomes conn3x_file.c.",
  },
  "two to one place": {
    text: move("module.a", 'module.c["x"]') + move("module.b", 'module.c["x"]', "«moved»"),
    summary: 'Two things are moved to module.c["x"]',
    detail: "At main.circuit.hcl:1 module.a becomes it, here module.b does.",
  },
  "to where it is": {
    text: move("conn3x_file.a[0]", "conn3x_file.a[0]", "«moved»"),
    summary: "Moved to where it is",
    detail: "Both addresses are conn3x_file.a[0].",
  },
  "a module to a resource": {
    text: move("module.a", "conn3x_file.a", "«moved»"),
    summary: "A module cannot become a resource",
    detail: "Name two modules, two resources or two instances.",
  },
  "to a resource of another type": {
    text: move("conn3x_directory.a", "conn3x_file.a", "«moved»"),
    summary: "Resources of different types",
    detail: "conn3x_directory.a cannot become conn3x_file.a.",
  },
  "in a circle": {
    text: move("conn3x_file.a", "conn3x_file.b", "«moved»") + move("conn3x_file.b", "conn3x_file.a"),
    summary: "Moves in a circle",
    detail: "They become each other: conn3x_file.a → conn3x_file.b → conn3x_file.a.",
  },
  "a step twice": {
    text: inWeb(move("step.x", "step.a"), move("step.x", "step.a", "«moved»")),
    summary: "step.x is moved twice",
    detail: "says the same.",
    severity: "warning",
  },
  "a host to two names": {
    text: inWeb(move("host.x", "host.a"), move("host.x", "host.b", "«moved»")),
    summary: "host.x is moved to two places",
    detail: "it becomes host.a, here it becomes host.b.",
  },
  "hosts in a circle": {
    text: inWeb(move("host.x", "host.y", "«moved»"), move("host.y", "host.x")),
    summary: "Moves in a circle",
    detail: "They become each other: ",
  },
  "a name for the block": {
    text: inWeb(move("host.x", "host.y", 'moved «"z"»')),
    summary: '"moved" takes no name',
    detail: "Write moved { … }.",
  },
};

testErrors("moves", cases);
