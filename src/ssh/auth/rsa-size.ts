/**
 * @module How many bits a key of RSA has.
 */

/**
 * @param key in SSH wire form (RFC 4253, 6.6): type, exponent, modulus
 * @returns undefined for a key of another type, 0 for one of RSA that cannot be read
 */
export function rsaBits(key: Buffer): number | undefined {
  const fields = [...fieldsOf(key)];
  if (fields[0]?.toString("latin1") !== "ssh-rsa") return undefined;
  const modulus = fields[2] ?? Buffer.alloc(0);
  const start = modulus.findIndex((byte) => byte !== 0);
  if (start < 0) return 0;
  return (modulus.length - start) * 8 - (Math.clz32(modulus[start]!) - 24);
}

/** Length-prefixed strings, one after another. */
function* fieldsOf(data: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) return;
    yield data.subarray(at + 4, end);
    at = end;
  }
}
