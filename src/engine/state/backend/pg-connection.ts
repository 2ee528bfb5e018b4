/**
 * @module How a PostgreSQL database is reached: a connection string as OpenTofu takes it (a URL, or `name=value` words),
 * and the variables of libpq for what it leaves open.
 * Source: PostgreSQL's documentation of libpq, "Connection Strings" and "Environment Variables"; where the two differ
 * (encryption is asked for unless something else is said), what OpenTofu does.
 */

import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import type { ConnectionOptions } from "node:tls";
import { errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { systemErrorSentence } from "../../../diagnostics/system-error.ts";

export interface PgConnection {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Undefined: what the password file says, if there is one. */
  readonly password: string | undefined;
  readonly database: string;
  /** False: without encryption. */
  readonly ssl: false | ConnectionOptions;
  /** Settings of the session: `-c NAME=VALUE …`. */
  readonly options: string | undefined;
  readonly applicationName: string;
  /** Milliseconds. */
  readonly connectTimeout: number;
}

/** Variable of the environment by the parameter's name. */
const variables: Readonly<Record<string, string>> = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  password: "PGPASSWORD",
  dbname: "PGDATABASE",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  options: "PGOPTIONS",
  application_name: "PGAPPNAME",
  connect_timeout: "PGCONNECT_TIMEOUT",
};

/** Parameters of the connection; every other one is a setting of the session. */
const ofConnection = new Set([...Object.keys(variables), "fallback_application_name", "client_encoding"]);

/** @returns undefined when something is wrong, which was reported */
export function pgConnection(
  text: string,
  environment: NodeJS.ProcessEnv,
  report: Report,
): PgConnection | undefined {
  const wrong = (detail: string): undefined => {
    report(errorDiagnostic('The backend "pg" cannot be used', detail));
    return undefined;
  };
  const given = /^postgres(?:ql)?:\/\//.test(text) ? urlParameters(text) : wordParameters(text);
  if (given === undefined)
    return wrong(
      '"conn_str" is no connection string: postgres://USER@HOST:PORT/DATABASE, or host=… user=… dbname=….',
    );
  const parameter = (name: string): string | undefined =>
    given.get(name) || (variables[name] && environment[variables[name]]) || undefined;
  const port = Number(parameter("port") ?? 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    return wrong("Its port is not a number from 1 to 65535.");
  const host = parameter("host") ?? "localhost";
  const ssl = sslOptions(host, parameter, wrong);
  if (ssl === undefined) return undefined;
  const user = parameter("user") ?? userInfo().username;
  const session = [...given].filter(([name]) => !ofConnection.has(name));
  const options = [
    parameter("options") ?? "",
    ...session.map(([name, value]) => `-c ${name}=${escaped(value)}`),
  ];
  return {
    host,
    port,
    user,
    password: parameter("password"),
    database: parameter("dbname") ?? user,
    ssl,
    options: options.join(" ").trim() || undefined,
    applicationName: parameter("application_name") ?? given.get("fallback_application_name") ?? "conn3x",
    connectTimeout: (Number(parameter("connect_timeout")) || 30) * 1000,
  };
}

/** Spaces separate options. */
const escaped = (value: string): string => value.replace(/[\\ ]/g, "\\$&");

function urlParameters(text: string): ReadonlyMap<string, string> | undefined {
  // A socket's directory as the host is written in the query: postgres:///db?host=/run/postgresql
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return undefined;
  try {
    const parts: readonly (readonly [string, string])[] = [
      ["host", decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "")],
      ["port", url.port],
      ["user", decodeURIComponent(url.username)],
      ["password", decodeURIComponent(url.password)],
      ["dbname", decodeURIComponent(url.pathname.slice(1))],
      ...url.searchParams,
    ];
    return new Map(parts.filter(([, value]) => value !== ""));
  } catch {
    return undefined;
  }
}

/** `host=a password='b c'`; a quote or a backslash in a value stands behind a backslash. */
function wordParameters(text: string): ReadonlyMap<string, string> | undefined {
  const word = /\s*([A-Za-z_.]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/sy;
  const found = new Map<string, string>();
  let end = 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    found.set(match[1]!, (match[2] ?? match[3] ?? "").replace(/\\(.)/gs, "$1"));
    end = word.lastIndex;
  }
  return text.slice(end).trim() === "" ? found : undefined;
}

function sslOptions(
  host: string,
  parameter: (name: string) => string | undefined,
  wrong: (detail: string) => undefined,
): PgConnection["ssl"] | undefined {
  const mode = parameter("sslmode") ?? "require";
  if (mode === "disable" || host.startsWith("/")) return false;
  if (!/^(?:require|verify-ca|verify-full)$/.test(mode))
    return wrong("Its sslmode must be disable, require, verify-ca or verify-full.");
  const files = { ca: parameter("sslrootcert"), cert: parameter("sslcert"), key: parameter("sslkey") };
  const texts: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, path] of Object.entries(files)) {
    if (path === undefined) continue;
    try {
      texts[name as keyof typeof files] = readFileSync(path, "utf8");
    } catch (error) {
      return wrong(`${path}: ${systemErrorSentence(error)}`);
    }
  }
  // An authority that is given is there to be looked at.
  if (mode === "require" && texts.ca === undefined) return { ...texts, rejectUnauthorized: false };
  return mode === "verify-full" ? texts : { ...texts, checkServerIdentity: () => undefined };
}
