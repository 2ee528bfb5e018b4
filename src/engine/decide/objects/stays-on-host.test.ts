import { expect, test } from "vitest";
import { staysOnHost } from "./stays-on-host.ts";

const pair = (address: string, holder: string) => ({ address, holder });
const texts = (...staying: Parameters<typeof staysOnHost>[0]) =>
  staysOnHost(staying).map(({ summary, detail, address }) => `${address}: ${summary}: ${detail}`);

test("all objects of a host that has got another name are one warning, with what keeps their state", () => {
  const found = texts(
    pair('conn3x_file.web__a["web1"]', 'conn3x_file.web__a["www1"]'),
    pair('conn3x_package.web__b["web1/x"]', 'conn3x_package.web__b["www1/x"]'),
    pair('module.m["k"].conn3x_file.web__a["web1"]', 'module.m["k"].conn3x_file.web__a["www1"]'),
  );
  expect(found).toHaveLength(2);
  expect(found[0]).toContain("In circuit web, 2 objects of host web1 end");
  expect(found[0]).toContain("from = host.web1 and to = host.www1");
  expect(found[1]).toContain('module.m["k"].conn3x_file.web__a["web1"] ends');
});

test("a name that is no identifier is written in brackets", () => {
  const [found] = texts(pair('conn3x_file.web__a["a.b"]', 'conn3x_file.web__a["c"]'));
  expect(found).toContain('from = host["a.b"] and to = host.c');
});

test.each([
  ["a renamed step", 'conn3x_file.web__new["web1"]', " If step old is called new now,"],
  ["another circuit's step", 'conn3x_file.app__old["web1"]', undefined],
  ["another kind", 'conn3x_line.web__new["web1"]', undefined],
  ["another key of the step's own", 'conn3x_file.web__old["web1/k"]', undefined],
  ["another module", 'module.m.conn3x_file.web__old["web1"]', undefined],
  ["a resource outside of circuits", "conn3x_file.plain", undefined],
])("%s", (_, holder, advice) => {
  const [found] = texts(pair('conn3x_file.web__old["web1"]', holder));
  if (advice === undefined) expect(found).not.toContain("moved");
  else expect(found).toContain(advice);
});
