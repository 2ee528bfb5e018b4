import { describe, expect, it } from "vitest";
import { withMark } from "./marks.ts";
import { showType, showValue } from "./show.ts";
import { dynamicType, listOf, mapOf, objectOf, stringType, type Type, tupleOf } from "./type.ts";
import { friendlyConstraint, friendlyName, typeText } from "./type-text.ts";
import { listValue, nullValue, objectValue, stringValue, tupleValue, unknownValue } from "./value.ts";

describe("showValue", () => {
  it("is what the console prints", () => {
    const value = objectValue({
      b: listValue(stringType, [stringValue('a"b')]),
      a: tupleValue([]),
      text: stringValue("x\ny"),
      none: nullValue(listOf(stringType)),
    });
    expect(showValue(value)).toBe(`{
  "a" = []
  "b" = tolist([
    "a\\"b",
  ])
  "none" = tolist(null) /* of string */
  "text" = <<-EOT
  x
  y
  EOT
}`);
  });

  it("hides what must not be seen", () => {
    expect(showValue(tupleValue([withMark(stringValue("s"), "sensitive"), unknownValue(stringType)]))).toBe(
      "[\n  (sensitive value),\n  (known after apply),\n]",
    );
    expect(showValue(withMark(stringValue("s"), "ephemeral"))).toBe("(ephemeral value)");
  });

  it("finds a heredoc marker that is not in the text", () => {
    expect(showValue(stringValue("EOT\nEOT_"))).toBe("<<EOT__\nEOT\nEOT_\nEOT__");
  });
});

describe("showType", () => {
  // As tofu console prints type(…).
  it.each<[Type, string]>([
    [listOf(mapOf(dynamicType)), "list(map(dynamic))"],
    [objectOf({}), "object({})"],
    [
      listOf(listOf(objectOf({ a: stringType }))),
      "list(list(\n    object({\n        a: string,\n    }),\n))",
    ],
    [
      objectOf({ b: tupleOf([]), a: mapOf(tupleOf([stringType])) }),
      "object({\n    a: map(\n        tuple([\n            string,\n        ]),\n    ),\n    b: tuple([]),\n})",
    ],
  ])("case %#", (type, text) => {
    expect(showType(type)).toBe(text);
  });
});

describe("types", () => {
  const type = objectOf({ b: mapOf(dynamicType), a: tupleOf([stringType]), "x y": stringType }, ["b"]);

  it("as expressions", () => {
    expect(typeText(type)).toBe('object({a=tuple([string]),b=optional(map(any)),"x y"=string})');
  });

  it("in sentences", () => {
    expect(friendlyName(listOf(mapOf(stringType)))).toBe("list of map of string");
    expect(friendlyName(dynamicType)).toBe("dynamic");
    expect(friendlyConstraint(dynamicType)).toBe("any type");
    expect(friendlyConstraint(listOf(dynamicType))).toBe("list of any single type");
    expect(friendlyName(type)).toBe("object");
  });
});
