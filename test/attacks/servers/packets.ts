/**
 * @module Packets of SSH, byte by byte (RFC 4253 and 4254).
 */

/** Numbers of messages. */
export const message = {
  disconnect: 1,
  ignore: 2,
  serviceAccept: 6,
  kexInit: 20,
  newKeys: 21,
  authFailure: 51,
  authSuccess: 52,
  globalRequest: 80,
  open: 90,
  openConfirmation: 91,
  openFailure: 92,
  windowAdjust: 93,
  data: 94,
  extendedData: 95,
  eof: 96,
  close: 97,
  request: 98,
  success: 99,
  failure: 100,
  banner: 53,
} as const;

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

export const text = (value: Buffer | string): Buffer => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([u32(bytes.length), bytes]);
};

export const packet = (number: number, ...fields: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([number]), ...fields]);

export const data = (channel: number, bytes: Buffer | string): Buffer =>
  packet(message.data, u32(channel), text(bytes));

export const extendedData = (channel: number, bytes: Buffer | string): Buffer =>
  packet(message.extendedData, u32(channel), u32(1), text(bytes));

export const endOfFile = (channel: number): Buffer => packet(message.eof, u32(channel));
