import { describe, expect, it } from "vitest";
import { showValue } from "../../values/show.ts";
import { evaluate } from "../evaluate.ts";
import { scopeOf } from "../scope.ts";
import { parsed } from "../testing.ts";
import { type FunctionTableOptions, functionTable } from "./table.ts";

/** What `tofu metadata functions -json` lists, without those for providers and the console. */
const names =
  "abs abspath alltrue anytrue base64decode base64encode base64gunzip base64gzip base64sha256 base64sha512 basename bcrypt can ceil chomp chunklist cidrcontains cidrhost cidrnetmask cidrsubnet cidrsubnets coalesce coalescelist compact concat contains csvdecode dirname distinct element endswith ephemeralasnull file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 fileset filesha1 filesha256 filesha512 flatten floor format formatdate formatlist indent index issensitive join jsondecode jsonencode keys length log lookup lower matchkeys max md5 merge min nonsensitive one parseint pathexpand plantimestamp pow range regex regexall replace reverse rsadecrypt sensitive setintersection setproduct setsubtract setunion sha1 sha256 sha512 signum slice sort split startswith strcontains strrev substr sum templatefile templatestring textdecodebase64 textencodebase64 timeadd timecmp timestamp title tobool tolist tomap tonumber toset tostring transpose trim trimprefix trimspace trimsuffix try upper urldecode urlencode uuid uuidv5 values yamldecode yamlencode zipmap".split(
    " ",
  );

function shown(text: string, options: Partial<FunctionTableOptions> = {}): string {
  const outcome = evaluate(
    parsed(text),
    scopeOf({}, functionTable({ baseDirectory: "/nonexistent", ...options })),
  );
  return outcome.diagnostics[0]?.detail ?? showValue(outcome.value);
}

describe("functionTable", () => {
  it("has OpenTofu's functions", () => {
    expect([...functionTable({ baseDirectory: "/" }).keys()].sort()).toEqual(names);
  });

  it("knows the time only when it is told", () => {
    const date = new Date("2026-01-02T03:04:05.678Z");
    expect(shown("timestamp()", { planTime: date })).toBe("(known after apply)");
    expect(shown("timestamp()", { now: date })).toBe('"2026-01-02T03:04:05Z"');
    expect(shown("plantimestamp()", { planTime: date })).toBe('"2026-01-02T03:04:05Z"');
  });

  it("makes up identifiers only while applying", () => {
    expect(shown("uuid()")).toBe("(known after apply)");
    expect(shown("uuid()", { now: new Date() })).toMatch(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/);
  });

  it("loads the libraries for regular expressions and YAML only when they are used", () => {
    const loaded = (name: string) =>
      Object.keys(require.cache).some((path) => path.includes(`/node_modules/${name}/`));
    expect(shown('upper("a")')).toBe('"A"');
    expect([loaded("re2js"), loaded("yaml")]).toEqual([false, false]);
    expect(shown('regex("a", "a")')).toBe('"a"');
    expect(shown('yamldecode("- 1")')).toContain("1");
    expect([loaded("re2js"), loaded("yaml")]).toEqual([true, true]);
  });

  it("says why a function is not there", () => {
    expect(shown('bcrypt("x")')).toContain(
      "this function is not available: its result is different each time",
    );
  });
});
