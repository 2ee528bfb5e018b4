/**
 * @module Binary floating-point magnitudes as decimal text, with as few digits as distinguish them from their neighbours.
 */

/** The number of bits of a non-negative integer without leading zeros. */
export function bitLength(size: bigint): number {
  if (size <= 0xffff_ffffn) return 32 - Math.clz32(Number(size));
  const hex = size.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0]!, 16)));
}

/** The shortest decimal text of `mantissa * 2^exponent`, not negative, among the numbers with `precision` bits. */
export function magnitudeText(mantissa: bigint, exponent: number, precision: number): string {
  if (mantissa === 0n) return "0";
  const spare = precision - bitLength(mantissa);
  // Every digit of an integer that fits counts.
  if (exponent >= 0 && exponent <= spare) return (mantissa << BigInt(exponent)).toString();

  // In units of half of the last bit's worth, 2^unit: the neighbouring numbers are two units away.
  const unit = exponent - spare - 1;
  const middle = mantissa << BigInt(spare + 1);
  const inclusive = (mantissa << BigInt(spare)) % 2n === 0n;
  const places = Math.max(0, -unit);
  // 2^-n = 5^n / 10^n: scaled so, all three are integers in units of 10^-places.
  const scale = unit < 0 ? 5n ** BigInt(places) : 1n << BigInt(unit);
  const digits = shortest(middle * scale, (middle - 1n) * scale, (middle + 1n) * scale, inclusive);
  return withPoint(digits, places);
}

/** The digits of the number between `lower` and `upper` that has the most trailing zeros, nearest to `value`. */
function shortest(value: bigint, lower: bigint, upper: bigint, inclusive: boolean): string {
  const text = value.toString();
  const fits = (candidate: bigint): boolean =>
    inclusive ? lower <= candidate && candidate <= upper : lower < candidate && candidate < upper;
  let best = value;
  // Fewer digits always mean a wider step, so the length can be found by halving.
  let low = 0;
  let high = text.length;
  while (low < high) {
    const zeros = (low + high + 1) >> 1;
    const step = 10n ** BigInt(zeros);
    const down = value - (value % step);
    const up = down + step;
    const nearer = value - down <= up - value ? down : up;
    const other = nearer === down ? up : down;
    const found = fits(nearer) ? nearer : fits(other) ? other : undefined;
    if (found === undefined) {
      high = zeros - 1;
    } else {
      best = found;
      low = zeros;
    }
  }
  return best.toString();
}

/** Without the zeros at the end. */
export function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** An integer's digits as a decimal with `places` digits after the point, without trailing zeros. */
export function withPoint(digits: string, places: number): string {
  if (places === 0) return digits;
  const padded = digits.padStart(places + 1, "0");
  const fraction = withoutZeros(padded.slice(-places));
  const whole = padded.slice(0, -places);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
