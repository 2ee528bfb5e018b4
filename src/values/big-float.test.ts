import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BigFloat } from "./big-float.ts";

const number = (text: string): BigFloat => {
  const parsed = BigFloat.parse(text);
  if (parsed === undefined) throw new Error(`not a number: ${text}`);
  return parsed;
};

// What `tofu console` prints for 1/3: 512 bits need this many digits.
const third = `0.${"3".repeat(154)}5`;

describe("BigFloat", () => {
  it.each([
    ["0", "0"],
    ["007", "7"],
    ["-12.50", "-12.5"],
    ["0.1", "0.1"],
    ["1E-3", "0.001"],
    ["1e30", `1${"0".repeat(30)}`],
    ["1e200", `1${"0".repeat(200)}`],
    ["123456789e150", `123456789${"0".repeat(150)}`],
    ["1e-400", `0.${"0".repeat(399)}1`],
    ["9007199254740993", "9007199254740993"],
    [
      "3.14159265358979323846264338327950288419716939937510582097494459",
      "3.14159265358979323846264338327950288419716939937510582097494459",
    ],
  ])("reads %s and prints %s", (text, printed) => {
    expect(number(text).toString()).toBe(printed);
  });

  it.each(["", "x", "1.2.3", "0x10", "1e", " 1", "1_000", "Infinity", "1e999999999"])(
    "refuses %j",
    (text) => {
      expect(BigFloat.parse(text)).toBeUndefined();
    },
  );

  it("divides with 512 bits, rounded to nearest", () => {
    expect(number("1").div(number("3")).toString()).toBe(third);
    expect(number("1e400").div(number("3")).toString()).toBe(`${"3".repeat(154)}4${"0".repeat(245)}`);
  });

  it("has the binary fractions of HCL", () => {
    expect(number("0.1").add(number("0.2")).equals(number("0.3"))).toBe(true);
    expect(number("0.7").sub(number("0.6")).equals(number("0.1"))).toBe(false);
  });

  it("shows a double as JavaScript does, until it meets a longer number", () => {
    expect(BigFloat.of(Math.SQRT2).toString()).toBe("1.4142135623730951");
    expect(BigFloat.of(Math.SQRT2).add(number("0")).toString()).toBe(
      "1.4142135623730951454746218587388284504413604736328125",
    );
  });

  it("goes to infinity and knows what is not a number", () => {
    const infinity = number("1").div(number("0"));
    expect(infinity.toString()).toBe("+Inf");
    expect(infinity.isFinite).toBe(false);
    expect(number("5").div(infinity).toString()).toBe("0");
    expect(infinity.neg().compare(number("0"))).toBe(-1);
    expect(infinity.compare(infinity)).toBe(0);
    expect(() => number("0").div(number("0"))).toThrow(RangeError);
    expect(() => infinity.sub(infinity)).toThrow(RangeError);
    expect(() => infinity.mul(number("0"))).toThrow(RangeError);
  });

  it.each([
    ["5", "0", "5"],
    ["5.5", "2", "1.5"],
    ["-5", "3", "-2"],
    ["5", "-3", "2"],
  ])("%s modulo %s is %s", (a, b, result) => {
    expect(number(a).mod(number(b)).toString()).toBe(result);
  });

  it("has all of its digits", () => {
    expect(BigFloat.of(0.1).toExactString()).toBe(
      "0.1000000000000000055511151231257827021181583404541015625",
    );
    expect(number("-12.5").toExactString()).toBe("-12.5");
    expect(number("1e20").toExactString()).toBe("100000000000000000000");
  });

  it("tells integers", () => {
    expect(number("1e3").isInteger).toBe(true);
    expect(number("-2.5").isInteger).toBe(false);
    expect(number("-2.5").toBigInt()).toBe(-2n);
    expect(number("1e25").toBigInt()).toBe(10n ** 25n);
  });

  it("adds and multiplies as exact integers do", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
        fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
        (a, b) => {
          expect(BigFloat.of(a).add(BigFloat.of(b)).toBigInt()).toBe(a + b);
          expect(BigFloat.of(a).mul(BigFloat.of(b)).toString()).toBe((a * b).toString());
          expect(BigFloat.of(a).compare(BigFloat.of(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
        },
      ),
    );
  });

  it("rounds at 53 bits as doubles do", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 });
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const [x, y] = [BigFloat.of(a, 53), BigFloat.of(b, 53)];
        expect(x.add(y).toNumber() + 0).toBe(a + b + 0);
        if (b !== 0 && Math.abs(a / b) > 1e-300) expect(x.div(y).toNumber()).toBe(a / b);
      }),
    );
  });

  it("prints what it reads back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => {
        expect(Number(BigFloat.of(a).toString())).toBe(a + 0);
        const third = BigFloat.of(a, 512).div(number("3"));
        expect(number(third.toString()).equals(third)).toBe(true);
      }),
    );
  });
});
