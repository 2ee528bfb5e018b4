/**
 * @module Settings of the language that this version does not support. Each is an error where it is
 * written: to ignore it would not be what the configuration says.
 */

export const laterInSsh: readonly string[] = ["connect_wait"];
