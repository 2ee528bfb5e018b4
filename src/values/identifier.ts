/**
 * @module What HCL takes as an identifier: a name of a block, an attribute, a bare object key, a variable.
 *
 * Source: HCL Native Syntax Specification, "Identifiers"
 */

export const identifierStart = String.raw`[\p{ID_Start}_]`;
export const identifierPart = String.raw`[\p{ID_Continue}-]`;

/** Part of a regular expression with the flag `u`. */
export const identifierPattern = `${identifierStart}${identifierPart}*`;

const identifier = new RegExp(`^${identifierPattern}$`, "u");

export const isIdentifier = (text: string): boolean => identifier.test(text);
