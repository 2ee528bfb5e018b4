/**
 * @module The platform that Conn3x runs on.
 */

/** The platform as OpenTofu names it: `linux_amd64`. */
export const platform = (): string =>
  `${process.platform}_${{ x64: "amd64", ia32: "386" }[process.arch as string] ?? process.arch}`;
