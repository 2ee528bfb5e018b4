/**
 * @module Settings that belong to the language and that this version does not act on. Each is an error where it is
 * written, since ignoring it would do something else than the configuration says.
 */

export const laterInSsh: readonly string[] = ["connect_wait"];
