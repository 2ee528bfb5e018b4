/**
 * @module Which version of Conn3x this is.
 */

/** Put in by the build. */
declare const CONN3X_VERSION: string | undefined;

export const version: string = typeof CONN3X_VERSION === "string" ? CONN3X_VERSION : "0.0.0-dev";
