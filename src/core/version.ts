/**
 * @module The version of Conn3x.
 */

// biome-ignore lint/style/useNamingConvention: put in by the build, which does so wherever the word stands.
declare const CONN3X_VERSION: string | undefined;

export const version: string = typeof CONN3X_VERSION === "string" ? CONN3X_VERSION : "0.0.0-dev";
