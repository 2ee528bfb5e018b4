/**
 * @module Numbers as text with a given number of digits, as Go's `big.Float.Text` writes them.
 */
import type { BigFloat } from "../../values/big-float.ts";
import { withoutZeros } from "../../values/binary-decimal.ts";

/** The decimal digits of a number, `0.DIGITS × 10^point`. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

function decimalOf(number: BigFloat, exact: boolean): Decimal {
  const written = exact ? number.toExactString() : number.toString();
  const [whole = "", fraction = ""] = written.replace("-", "").split(".");
  const all = whole + fraction;
  const leading = /^0*/.exec(all)![0].length;
  const digits = withoutZeros(all.slice(leading));
  return { negative: number.sign < 0, digits, point: digits === "" ? 1 : whole.length - leading };
}

/** Rounded to `count` digits, half to even. */
function roundDigits(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { ...decimal, digits: "", point: 1 };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const odd = Number(kept.at(-1) ?? "0") % 2 === 1;
  if (rest < half || (rest === half && !odd)) return trimmed({ ...decimal, digits: kept });
  const up = (BigInt(kept || "0") + 1n).toString().padStart(count, "0");
  return trimmed({ ...decimal, digits: up, point: point + (up.length > count ? 1 : 0) });
}

function trimmed(decimal: Decimal): Decimal {
  const digits = withoutZeros(decimal.digits);
  return { ...decimal, digits, point: digits === "" ? 1 : decimal.point };
}

/** `%f`: with exactly `places` decimals. */
export function decimalText(number: BigFloat, places: number): string {
  const exact = decimalOf(number, true);
  const { negative, digits, point } = roundDigits(exact, exact.point + places);
  return (negative ? "-" : "") + fixed(digits, point, places);
}

function fixed(digits: string, point: number, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const fraction = (point < 0 ? "0".repeat(-point) : "") + digits.slice(Math.max(0, point));
  return whole + (places > 0 ? `.${fraction.padEnd(places, "0").slice(0, places)}` : "");
}

/** `%e`: one digit before the point, `places` after it. */
export function exponentText(number: BigFloat, places: number): string {
  const { negative, digits, point } = roundDigits(decimalOf(number, true), places + 1);
  return (negative ? "-" : "") + scientific(digits, point, places);
}

function scientific(digits: string, point: number, places: number): string {
  const exponent = digits === "" ? 0 : point - 1;
  const fraction = places > 0 ? `.${digits.slice(1).padEnd(places, "0")}` : "";
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0] ?? "0"}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** `%g`: with an exponent when it is below -4, or not below the precision, of the shortest form 6.*/
export function shortestText(number: BigFloat, precision?: number): string {
  if (!number.isFinite) return number.toString();
  const decimal =
    precision === undefined
      ? decimalOf(number, false)
      : roundDigits(decimalOf(number, true), Math.max(1, precision));
  const { negative, digits, point } = decimal;
  let limit = precision ?? 6;
  if (precision !== undefined && limit > digits.length && digits.length >= point) limit = digits.length;
  const exponent = point - 1;
  const sign = negative ? "-" : "";
  if (exponent < -4 || exponent >= Math.max(1, limit))
    return sign + scientific(digits, point, digits.length - 1);
  return sign + fixed(digits, point, Math.max(0, digits.length - point));
}
