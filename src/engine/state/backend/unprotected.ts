/**
 * @module A state whose connection others may read or change.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";

/** What leads to no other machine: names and addresses of this one, directories of sockets. */
const isHere = (host: string): boolean =>
  host.startsWith("/") || /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/**
 * @param why a clause; undefined where the connection is protected
 * @param advice a sentence
 */
export const unprotected = (host: string, why: string | undefined, advice: string): Diagnostic | undefined =>
  why === undefined || isHere(host)
    ? undefined
    : warningDiagnostic(
        "Others could read or change the state on its way",
        `${why}, and the state holds secrets. ${advice}`,
      );
