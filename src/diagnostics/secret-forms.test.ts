import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createHiddenTexts } from "./hidden-texts.ts";
import { secretForms } from "./secret-forms.ts";

const shell = (program: string, script: string, secret: string): string =>
  execFileSync(program, ["-c", `{ ${script}; } 2>&1`, program, secret], { encoding: "utf8" });

/** What programs print of a secret, which is their argument or their variable `S`. */
const printed: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => `x ${secret} y`,
  "a URL's part": (secret) => `?q=${encodeURIComponent(secret)}`,
  "a form": (secret) => new URLSearchParams({ q: secret }).toString(),
  "lower-case percents": (secret) => encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase()),
  JSON: (secret) => JSON.stringify({ q: secret }),
  "JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ q: secret })),
  // As Python's json.dumps.
  "JSON in ASCII": (secret) =>
    JSON.stringify(secret).replace(
      /[\x80-\uffff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  // As Go's encoding/json.
  "JSON for HTML": (secret) =>
    JSON.stringify(secret).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  "set -x of bash": (secret) => shell("bash", 'S=$1; set -x; : "$S"', secret),
  "set -x of sh": (secret) => shell("sh", 'S=$1; set -x; : "$S"', secret),
  "set of sh": (secret) =>
    shell("sh", "S=$1; set", secret)
      .split("\n")
      .filter((line) => !/^_=/.test(line))
      .join("\n"),
  "export -p of bash": (secret) => shell("bash", 'export S="$1"; export -p', secret),
  "printf %q": (secret) => shell("bash", 'printf %q "$1"', secret),
  "base64 in lines": (secret) => shell("sh", 'printf %s "$1" | base64', secret),
  "base64 within other bytes": (secret) =>
    [0, 1, 2, 3].map((n) => Buffer.from(`${"u".repeat(n)}${secret}!`).toString("base64")).join(" "),
  "base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  hexadecimal: (secret) => shell("sh", `printf %s "$1" | od -An -v -tx1 | tr -d ' \\n'`, secret),
};

const secrets = {
  plain: "hunter2-hunter2-hunter2",
  spaces: "correct horse & <battery> staple",
  quotes: `it's "quoted" \\ $HOME \`id\` (x) ~!*`,
  accents: "pässwörtlich größer als ß",
  long: "0123456789abcdef/+=&".repeat(10),
};

/** A secret's parts of this length must not be left, but where a form's ends depend on what is beside it. */
const longestLeft = 5;

test.each(Object.entries(printed))("%s", (_, print) => {
  for (const secret of Object.values(secrets)) {
    const { add, hide } = createHiddenTexts("\0");
    for (const form of secretForms(secret)) add(form);
    const text = print(secret);
    const shown = hide(text);
    expect(shown).toContain("\0");
    const empty = print("");
    // What is left of it stands in what is printed for no secret as well, or is too short to tell anything.
    const left = shown.split(/[\0\s]+/).filter((part) => part.length > longestLeft && !empty.includes(part));
    expect(left).toEqual([]);
  }
});

test("many lines and a secret of megabytes are found in time", () => {
  const began = performance.now();
  const { add, hide } = createHiddenTexts("(secret)");
  const large = Array.from({ length: 40_000 }, (_, i) => `line ${i} of "it"`).join("\n");
  for (const form of secretForms(large)) add(form);
  expect(hide(`a ${large} b`)).toBe("a (secret) b");
  expect(performance.now() - began).toBeLessThan(10_000);
});
