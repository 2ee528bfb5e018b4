/**
 * @module Numbers as HCL has them: binary floating point with up to 512 bits of mantissa.
 *
 * Go's `big.Float` is what OpenTofu calculates with, and its results are visible: `0.7 - 0.6 == 0.1` is false,
 * 2^53 + 1 survives. Results are rounded to the nearest value, ties to even.
 */
import { bitLength, magnitudeText, withPoint } from "./binary-decimal.ts";

/** Bits of mantissa of a number that was written or parsed. */
const writtenPrecision = 512;
/** A decimal exponent beyond this is refused: the digits alone would fill memory. */
const largestExponent = 100_000;
const decimal = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

/** An immutable number. Its value is `mantissa * 2^exponent`, the mantissa odd or zero; infinities have an infinite exponent. */
export class BigFloat {
  static readonly zero = new BigFloat(0n, 0, writtenPrecision);
  static readonly infinity = new BigFloat(1n, Number.POSITIVE_INFINITY, writtenPrecision);
  static readonly negativeInfinity = new BigFloat(-1n, Number.POSITIVE_INFINITY, writtenPrecision);
  /** The integers that configurations are full of, made once. */
  static readonly #small = new Map<number, BigFloat>();

  readonly #mantissa: bigint;
  readonly #exponent: number;
  /** Bits that a result made from this number is rounded to; decides how many digits {@link toString} needs. */
  readonly #precision: number;

  private constructor(mantissa: bigint, exponent: number, precision: number) {
    this.#mantissa = mantissa;
    this.#exponent = exponent;
    this.#precision = precision;
  }

  /**
   * The exact value of a JavaScript number or integer. A fraction keeps the double's 53 bits of precision, so that it
   * is shown as JavaScript shows it; integers have 512 bits unless `precision` says otherwise.
   *
   * @throws RangeError for NaN
   */
  static of(number: number | bigint, precision?: number): BigFloat {
    if (typeof number === "bigint") return rounded(number, 0, precision ?? writtenPrecision);
    if (Number.isSafeInteger(number)) return BigFloat.#integer(number, precision ?? writtenPrecision);
    if (Number.isNaN(number)) throw new RangeError("NaN is not a number that HCL has");
    if (!Number.isFinite(number)) return number > 0 ? BigFloat.infinity : BigFloat.negativeInfinity;
    if (Number.isInteger(number)) return rounded(BigInt(number), 0, precision ?? writtenPrecision);
    const { mantissa, exponent } = double(number);
    return rounded(mantissa, exponent, precision ?? 53);
  }

  static #integer(number: number, precision: number): BigFloat {
    if (precision !== writtenPrecision || number < -128 || number > 1023) {
      return rounded(BigInt(number), 0, precision);
    }
    const known = BigFloat.#small.get(number);
    if (known !== undefined) return known;
    const made = rounded(BigInt(number), 0, precision);
    BigFloat.#small.set(number, made);
    return made;
  }

  /** A decimal number: `12`, `-0.5`, `1E-3`. Undefined for any other text, and for exponents beyond ±100,000. */
  static parse(text: string): BigFloat | undefined {
    const match = decimal.exec(text);
    if (match === null) return undefined;
    const [, sign, whole = "", fraction = match[4] ?? "", , exponentText = "0"] = match;
    if (fraction === "" && match[5] === undefined && whole.length < 5) {
      const small = Number(whole);
      return BigFloat.of(sign === "-" ? -small : small);
    }
    const exponent = Number(exponentText) - fraction.length;
    if (Math.abs(exponent) > largestExponent) return undefined;
    const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
    return exponent >= 0
      ? rounded(digits * 10n ** BigInt(exponent), 0, writtenPrecision)
      : quotient(digits, 0, 10n ** BigInt(-exponent), 0, writtenPrecision);
  }

  /** @throws RangeError for an infinity minus an infinity */
  add(other: BigFloat): BigFloat {
    if (!this.isFinite || !other.isFinite) {
      if (!this.isFinite && !other.isFinite && this.sign !== other.sign) throw notANumber();
      return this.isFinite ? other : this;
    }
    const exponent = Math.min(this.#exponent, other.#exponent);
    return rounded(this.#scaled(exponent) + other.#scaled(exponent), exponent, this.#common(other));
  }

  /** @throws RangeError for an infinity minus itself */
  sub(other: BigFloat): BigFloat {
    return this.add(other.neg());
  }

  /** @throws RangeError for zero times an infinity */
  mul(other: BigFloat): BigFloat {
    if (!this.isFinite || !other.isFinite) {
      if (this.sign === 0 || other.sign === 0) throw notANumber();
      return this.sign === other.sign ? BigFloat.infinity : BigFloat.negativeInfinity;
    }
    return rounded(this.#mantissa * other.#mantissa, this.#exponent + other.#exponent, this.#common(other));
  }

  /**
   * By zero gives an infinity.
   *
   * @throws RangeError for zero by zero and an infinity by an infinity
   */
  div(other: BigFloat): BigFloat {
    if (!this.isFinite) {
      if (!other.isFinite) throw notANumber();
      return other.sign < 0 ? this.neg() : this;
    }
    if (!other.isFinite) return BigFloat.zero;
    if (other.sign === 0) {
      if (this.sign === 0) throw notANumber();
      return this.sign > 0 ? BigFloat.infinity : BigFloat.negativeInfinity;
    }
    return quotient(this.#mantissa, this.#exponent, other.#mantissa, other.#exponent, this.#common(other));
  }

  /**
   * What is left of dividing towards zero, with the sign of this number: `-5 % 3` is -2. Modulo zero it is the number
   * itself, and an infinity on either side gives an infinity, as in OpenTofu.
   *
   * @throws RangeError for zero modulo an infinity
   */
  mod(other: BigFloat): BigFloat {
    if (!this.isFinite || !other.isFinite) return this.mul(other);
    if (other.sign === 0) return this;
    const times = rounded(this.div(other).toBigInt(), 0, this.#common(other));
    return this.sub(other.mul(times));
  }

  neg(): BigFloat {
    if (this.#mantissa === 0n) return this;
    return new BigFloat(-this.#mantissa, this.#exponent, this.#precision);
  }

  /** -1, 0 or 1: the order of the two values. */
  compare(other: BigFloat): -1 | 0 | 1 {
    if (this.sign !== other.sign) return this.sign < other.sign ? -1 : 1;
    if (!this.isFinite || !other.isFinite) {
      if (this.isFinite === other.isFinite) return 0;
      return this.isFinite === this.sign > 0 ? -1 : 1;
    }
    const exponent = Math.min(this.#exponent, other.#exponent);
    const [left, right] = [this.#scaled(exponent), other.#scaled(exponent)];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: BigFloat): boolean {
    return this.#mantissa === other.#mantissa && this.#exponent === other.#exponent;
  }

  get sign(): -1 | 0 | 1 {
    return this.#mantissa === 0n ? 0 : this.#mantissa < 0n ? -1 : 1;
  }

  get isFinite(): boolean {
    return this.#exponent !== Number.POSITIVE_INFINITY;
  }

  get isInteger(): boolean {
    return this.isFinite && this.#exponent >= 0;
  }

  /** The nearest double. */
  toNumber(): number {
    if (!this.isFinite) return this.sign * Number.POSITIVE_INFINITY;
    if (this.#exponent >= 0) return Number(this.#scaled(0));
    // In two factors, because the power alone may be too small for a double.
    const first = Math.max(this.#exponent, -1000);
    return Number(this.#mantissa) * 2 ** first * 2 ** (this.#exponent - first);
  }

  /**
   * The integer part.
   *
   * @throws RangeError for an infinity
   */
  toBigInt(): bigint {
    if (!this.isFinite) throw new RangeError("an infinity has no integer value");
    if (this.#exponent >= 0) return this.#scaled(0);
    // Not a shift: that would round towards negative infinity.
    return this.#mantissa / (1n << BigInt(-this.#exponent));
  }

  /** The same value with another precision; rounded where it has more bits. */
  withPrecision(bits: number): BigFloat {
    return this.isFinite ? rounded(this.#mantissa, this.#exponent, bits) : this;
  }

  /** The shortest decimal without an exponent that is read back as this value (Go: `Text('f', -1)`). */
  toString(): string {
    if (!this.isFinite) return this.sign > 0 ? "+Inf" : "-Inf";
    const size = this.#mantissa < 0n ? -this.#mantissa : this.#mantissa;
    const text = magnitudeText(size, this.#exponent, this.#precision);
    return this.#mantissa < 0n ? `-${text}` : text;
  }

  /** The value in decimal with all of its digits, which are finitely many: a half is one place, a quarter two. */
  toExactString(): string {
    if (!this.isFinite || this.#exponent >= 0)
      return this.isFinite ? this.toBigInt().toString() : this.toString();
    const places = -this.#exponent;
    const size = this.#mantissa < 0n ? -this.#mantissa : this.#mantissa;
    const text = withPoint((size * 5n ** BigInt(places)).toString(), places);
    return this.#mantissa < 0n ? `-${text}` : text;
  }

  /** The mantissa as if the exponent were `exponent`, which must not be larger than it is. */
  #scaled(exponent: number): bigint {
    return this.#mantissa << BigInt(this.#exponent - exponent);
  }

  #common(other: BigFloat): number {
    return Math.max(this.#precision, other.#precision);
  }

  /** @internal Of a mantissa and exponent that are normal and rounded already. */
  static normal(mantissa: bigint, exponent: number, precision: number): BigFloat {
    return new BigFloat(mantissa, exponent, precision);
  }
}

function notANumber(): RangeError {
  return new RangeError("the result is not a number");
}

/** `mantissa * 2^exponent` with at most `precision` bits, in normal form. */
function rounded(mantissa: bigint, exponent: number, precision: number): BigFloat {
  if (mantissa === 0n)
    return precision === writtenPrecision ? BigFloat.zero : BigFloat.normal(0n, 0, precision);
  const negative = mantissa < 0n;
  let size = negative ? -mantissa : mantissa;
  let power = exponent;
  const excess = bitLength(size) - precision;
  if (excess > 0) {
    const shift = BigInt(excess);
    const rest = size & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    size >>= shift;
    power += excess;
    if (rest > half || (rest === half && (size & 1n) === 1n)) size += 1n;
  }
  const zeros = bitLength(size & -size) - 1;
  if (zeros > 0) {
    size >>= BigInt(zeros);
    power += zeros;
  }
  return BigFloat.normal(negative ? -size : size, power, precision);
}

/** The correctly rounded quotient of two finite numbers, the second not zero. */
function quotient(a: bigint, aExponent: number, b: bigint, bExponent: number, precision: number): BigFloat {
  const negative = a < 0n !== b < 0n;
  const dividend = a < 0n ? -a : a;
  const divisor = b < 0n ? -b : b;
  const shift = Math.max(0, precision + 2 + bitLength(divisor) - bitLength(dividend));
  const shifted = dividend << BigInt(shift);
  // One more bit says whether anything was left, so that a tie is distinguished from nearly a tie.
  const whole = ((shifted / divisor) << 1n) | (shifted % divisor === 0n ? 0n : 1n);
  return rounded(negative ? -whole : whole, aExponent - bExponent - shift - 1, precision);
}

/** Mantissa and exponent of a finite double. */
function double(number: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = field === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: number < 0 ? -mantissa : mantissa, exponent: Math.max(field, 1) - 1075 };
}
