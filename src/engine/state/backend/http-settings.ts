/**
 * @module The settings of the backend `http`, with OpenTofu's names, defaults and environment variables.
 * Source: https://opentofu.org/docs/language/settings/backends/http/
 */

import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { boolType, mapOf, numberType, stringType } from "../../../values/type.ts";
import { badCertificates, type HttpCertificates } from "./http-certificates.ts";
import { type BackendSpec, type Settings, textOf } from "./settings.ts";

export const httpSpec: BackendSpec = {
  address: { type: stringType, variable: "TF_HTTP_ADDRESS" },
  update_method: { type: stringType, variable: "TF_HTTP_UPDATE_METHOD" },
  lock_address: { type: stringType, variable: "TF_HTTP_LOCK_ADDRESS" },
  lock_method: { type: stringType, variable: "TF_HTTP_LOCK_METHOD" },
  unlock_address: { type: stringType, variable: "TF_HTTP_UNLOCK_ADDRESS" },
  unlock_method: { type: stringType, variable: "TF_HTTP_UNLOCK_METHOD" },
  username: { type: stringType, variable: "TF_HTTP_USERNAME" },
  password: { type: stringType, variable: "TF_HTTP_PASSWORD" },
  skip_cert_verification: { type: boolType },
  retry_max: { type: numberType, variable: "TF_HTTP_RETRY_MAX" },
  retry_wait_min: { type: numberType, variable: "TF_HTTP_RETRY_WAIT_MIN" },
  retry_wait_max: { type: numberType, variable: "TF_HTTP_RETRY_WAIT_MAX" },
  client_ca_certificate_pem: { type: stringType, variable: "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM" },
  client_certificate_pem: { type: stringType, variable: "TF_HTTP_CLIENT_CERTIFICATE_PEM" },
  client_private_key_pem: { type: stringType, variable: "TF_HTTP_CLIENT_PRIVATE_KEY_PEM" },
  headers: { type: mapOf(stringType) },
};

/** How requests are made: the same for all of them. */
export interface HttpTransport extends HttpCertificates {
  /** With basic authentication, where `username` says so. */
  readonly headers: Readonly<Record<string, string>>;
  readonly skipCertVerification: boolean;
  /** How often a request that failed is made again. */
  readonly retries: number;
  /** Milliseconds before the first time, doubled for each further one up to the longest. */
  readonly retryWait: { readonly shortest: number; readonly longest: number };
  /** How long a server may be silent. Milliseconds. */
  readonly timeout: number;
  /** How long one request may take with all its tries. Milliseconds. */
  readonly total: number;
}

export interface HttpSettings {
  readonly address: URL;
  readonly updateMethod: string;
  readonly lock: { readonly address: URL; readonly method: string } | undefined;
  readonly unlock: { readonly address: URL; readonly method: string } | undefined;
  readonly transport: HttpTransport;
}

/** OpenTofu waits for ever. Milliseconds. */
const timeout = 60_000;
const total = 10 * 60_000;

/** @returns undefined when something is wrong, which was reported */
export function httpSettings(settings: Settings, report: Report): HttpSettings | undefined {
  const problems: Diagnostic[] = [];
  const wrong = (detail: string): void => {
    problems.push(errorDiagnostic('The backend "http" cannot be used', detail));
  };
  const text = (name: string) => textOf(settings, name);
  const address = text("address");
  if (address === undefined)
    wrong('It needs "address", in its block, with -backend-config=address=… or in TF_HTTP_ADDRESS.');
  const place = (name: string, method: string): HttpSettings["lock"] => {
    const given = text(`${name}_address`);
    const url = given === undefined ? undefined : urlOf(`${name}_address`, given, wrong);
    return url && { address: url, method: text(`${name}_method`) ?? method };
  };
  const url = address === undefined ? undefined : urlOf("address", address, wrong);
  const lock = place("lock", "LOCK");
  const unlock = place("unlock", "UNLOCK");
  const transport = transportOf(settings, wrong);
  problems.forEach(report);
  if (url === undefined || problems.length > 0) return undefined;
  return { address: url, updateMethod: text("update_method") ?? "POST", lock, unlock, transport };
}

function urlOf(name: string, text: string, wrong: (detail: string) => void): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    wrong(`"${name}" must be a URL that begins with http:// or https://.`);
    return undefined;
  }
  if (isDecodable(url.username + url.password)) return url;
  wrong(`"${name}" has a login in which a % is not followed by two hexadecimal digits: % itself is %25.`);
  return undefined;
}

/** Whether what is written with `%` is text in UTF-8. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function transportOf(settings: Settings, wrong: (detail: string) => void): HttpTransport {
  const text = (name: string) => textOf(settings, name);
  const ca = text("client_ca_certificate_pem");
  const [certificate, privateKey] = [text("client_certificate_pem"), text("client_private_key_pem")];
  if ((certificate === undefined) !== (privateKey === undefined))
    wrong('"client_certificate_pem" and "client_private_key_pem" need each other.');
  else badCertificates({ ca, certificate, privateKey }).forEach(wrong);
  const count = (name: string, usual: number): number => {
    const value = settings[name] ?? usual;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1e6) return value;
    wrong(`"${name}" must be a whole number of at least 0.`);
    return usual;
  };
  return {
    headers: headersOf(settings, wrong),
    skipCertVerification: settings.skip_cert_verification === true,
    ca,
    certificate,
    privateKey,
    retries: count("retry_max", 2),
    retryWait: {
      shortest: count("retry_wait_min", 1) * 1000,
      longest: count("retry_wait_max", 30) * 1000,
    },
    timeout,
    total,
  };
}

function headersOf(settings: Settings, wrong: (detail: string) => void): Readonly<Record<string, string>> {
  const given = Object.entries((settings.headers ?? {}) as Readonly<Record<string, string>>);
  const username = (settings.username as string | undefined) ?? "";
  for (const [name, value] of given) {
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      wrong(`"headers" has a name with other characters than letters, digits, - and _.`);
    if (/^content-(?:type|md5)$/i.test(name))
      wrong(`"headers" cannot have ${name}: each request has its own.`);
    if (/^authorization$/i.test(name) && settings.username)
      wrong(`"headers" cannot have ${name} beside "username".`);
    if (value.trim() === "" || !/^[\x20-\x7e\t]*$/.test(value))
      wrong(`"headers" has a value for ${name} that is empty or not plain ASCII text.`);
  }
  const login = username === "" ? {} : basicLogin(username, String(settings.password ?? ""));
  return { ...Object.fromEntries(given), ...login };
}

/** The header of basic authentication (RFC 7617). */
export const basicLogin = (username: string, password: string): Readonly<Record<string, string>> => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});
