/**
 * @module The platform that Conn3x runs on.
 */

/** As OpenTofu names platforms: `linux_amd64`. */
export const platform = (): string =>
  `${process.platform}_${{ x64: "amd64", ia32: "386" }[process.arch as string] ?? process.arch}`;
