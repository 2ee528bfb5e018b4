/**
 * @module Errors about the hosts of a circuit, worded alike whether they are found in the text or in a value.
 */
import { type Diagnostic, type DiagnosticLocation, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { quoted } from "../diagnostics/quoted.ts";

/** Pattern of valid host names, in the common syntax of JavaScript and RE2. */
export const hostNamePattern = "^[A-Za-z0-9._-]+$";

const hostName = new RegExp(hostNamePattern);

export const isHostName = (name: string): boolean => hostName.test(name);

export const badHostName = (name: string, location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic(
    `${quoted(name)} cannot name a host`,
    "A host's name has letters, digits, dots, underscores and dashes only. Its address goes to the right of it.",
    location,
  );

export const namelessHost = (location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic(
    "This host has no name",
    "Its name is null. Give it one: it is the key in hosts.",
    location,
  );

/** @param what it is: `null`, `a number` */
export const notAHost = (what: string, location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic(
    "This is not a host",
    `It is ${what}. A host is its address ("10.0.1.5") or an object with an address ({ address = "10.0.1.5", port = 2222 }).`,
    location,
  );

export const noAddress = (location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic("This host has no address", 'Give it one: address = "10.0.1.5".', location);

export const emptyAddress = (location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic("This host has an empty address", 'Give it one: address = "10.0.1.5".', location);

/** @param what it is: `a number` */
export const notAnAddress = (what: string, location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic("This is not an address", `It is ${what}. Write a string: address = "10.0.1.5".`, location);

/** A host's own name among its settings. */
export const nameAsSetting = (location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic('Unknown setting "name"', "A host's name is its key in hosts.", location);

/** @param what it is: `a string` */
export const notGroups = (what: string, location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic(
    "This is not a list of groups",
    `It is ${what}. Write the names of the host's groups: groups = ["web"].`,
    location,
  );

/** @param what it is: a quoted name, `a number` */
export const badGroup = (what: string, location: DiagnosticLocation): Diagnostic =>
  errorDiagnostic(
    "This cannot name a group",
    `It is ${what}. A group's name is a string of letters, digits, dots, underscores and dashes only.`,
    location,
  );
