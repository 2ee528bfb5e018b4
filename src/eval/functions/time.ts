/**
 * @module Points in time, as RFC 3339 text.
 */
import { numberType, stringType } from "../../values/type.ts";
import { numberValue, stringValue, unknownValue } from "../../values/value.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  isFunctionError,
} from "../function-definition.ts";
import { parameter, stringFunction, text } from "./arguments.ts";

interface Time {
  /** Nanoseconds since 1970 in UTC. */
  readonly nanoseconds: bigint;
  /** East of UTC. */
  readonly offsetMinutes: number;
}

const timestamp = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|([+-])(\d\d):(\d\d))$/;

function parseTime(value: string): Time | FunctionError {
  const match = timestamp.exec(value);
  if (match === null) return functionError(`not a valid RFC3339 timestamp: ${complaint(value)}`);
  const [, year, month, day, hour, minute, second, fraction = "", zone, sign, zoneHour, zoneMinute] = match;
  const date = new Date(0);
  // `Date.UTC` takes the years up to 99 for those of the last century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const milliseconds = date.getTime();
  const back = date.toISOString().slice(0, 19);
  if (back !== value.slice(0, 19))
    return functionError("not a valid RFC3339 timestamp: there is no such date or time");
  const offset = zone === "Z" ? 0 : (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const nanoseconds =
    BigInt(milliseconds - offset * 60_000) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return { nanoseconds, offsetMinutes: offset };
}

function complaint(value: string): string {
  if (!/^\d{4}-/.test(value)) return `cannot use ${JSON.stringify(value.slice(0, 4))} as year`;
  if (/^\d{4}-\d\d-\d\d[^T]/.test(value)) return "missing required time introducer 'T'";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/.test(value)) return "missing UTC offset";
  return "must have the form YYYY-MM-DDThh:mm:ssZ";
}

/** The local time's fields, as if it were UTC. */
const local = ({ nanoseconds, offsetMinutes }: Time): Date =>
  new Date(Number(nanoseconds / 1_000_000n) + offsetMinutes * 60_000);

/** At least four digits, as Go writes years. */
function yearText(date: Date): string {
  const year = date.getUTCFullYear();
  return (year < 0 ? "-" : "") + String(Math.abs(year)).padStart(4, "0");
}

function formatTime(time: Time): string {
  const date = local(time);
  const afterYear = date.toISOString().slice(-20, -5);
  return yearText(date) + afterYear + zone(time.offsetMinutes, ":", "Z");
}

function zone(offsetMinutes: number, separator: string, utc: string): string {
  if (offsetMinutes === 0 && utc !== "") return utc;
  const size = Math.abs(offsetMinutes);
  return (offsetMinutes < 0 ? "-" : "+") + two(Math.floor(size / 60)) + separator + two(size % 60);
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Nanoseconds of Go's units. */
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** A duration as Go writes it, `-1h30m0.5s`, in nanoseconds: at most 64 bits of them, 292 years. */
export function parseDuration(value: string): bigint | FunctionError {
  const shown = JSON.stringify(value);
  const [, sign, body = ""] = /^([+-]?)(.*)$/s.exec(value)!;
  if (body === "0") return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)[^\d.]*)+$/.test(body))
    return functionError(`time: invalid duration ${shown}`);
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of body.matchAll(/(\d*)(?:\.(\d*))?([^\d.]*)/g)) {
    if (whole === "" && fraction === "" && unit === "") continue;
    if (unit === "") return functionError(`time: missing unit in duration ${shown}`);
    const size = Object.hasOwn(units, unit) ? units[unit]! : undefined;
    if (size === undefined)
      return functionError(`time: unknown unit ${JSON.stringify(unit)} in duration ${shown}`);
    total += BigInt(whole || "0") * size;
    if (fraction !== "") total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  const duration = sign === "-" ? -total : total;
  const fits = BigInt.asIntN(64, duration) === duration;
  return fits ? duration : functionError(`time: invalid duration ${shown}`);
}

function timeadd(value: string, duration: string): string | FunctionError {
  const time = parseTime(value);
  if (isFunctionError(time)) return time;
  const added = parseDuration(duration);
  if (typeof added === "object") return added;
  return formatTime({ ...time, nanoseconds: time.nanoseconds + added });
}

const months = "January February March April May June July August September October November December".split(
  " ",
);
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

function formatdate(format: string, value: string): string | FunctionError {
  const time = parseTime(value);
  if (isFunctionError(time)) return { ...time, argument: 1 };
  let result = "";
  for (const [token] of format.matchAll(/'(?:[^']|'')*'?|([A-Za-z])\1*|[^A-Za-z']+/g)) {
    if (token.startsWith("'")) {
      if (
        token.length < 2 ||
        !token.endsWith("'") ||
        (/^'(?:'')*[^']*''$/.test(token) && token.length > 2 && !isClosed(token))
      ) {
        return functionError("unterminated literal '", 0);
      }
      result += token === "''" ? "'" : token.slice(1, -1).replaceAll("''", "'");
    } else if (/^[A-Za-z]/.test(token)) {
      const text = verbText(token, time);
      if (typeof text === "object") return { ...text, argument: 0 };
      result += text;
    } else result += token;
  }
  return result;
}

/** Whether the quotes inside a literal come in pairs. */
function isClosed(token: string): boolean {
  return (token.split("'").length - 1) % 2 === 0;
}

function verbText(verb: string, time: Time): string | FunctionError {
  const date = local(time);
  const hour = date.getUTCHours();
  const choices: Readonly<Record<string, string>> = {
    YY: two(date.getUTCFullYear() % 100),
    YYYY: yearText(date),
    M: String(date.getUTCMonth() + 1),
    MM: two(date.getUTCMonth() + 1),
    MMM: months[date.getUTCMonth()]!.slice(0, 3),
    MMMM: months[date.getUTCMonth()]!,
    D: String(date.getUTCDate()),
    DD: two(date.getUTCDate()),
    EEE: weekdays[date.getUTCDay()]!.slice(0, 3),
    EEEE: weekdays[date.getUTCDay()]!,
    h: String(hour),
    hh: two(hour),
    H: String(hour % 12 || 12),
    HH: two(hour % 12 || 12),
    AA: hour < 12 ? "AM" : "PM",
    aa: hour < 12 ? "am" : "pm",
    m: String(date.getUTCMinutes()),
    mm: two(date.getUTCMinutes()),
    s: String(date.getUTCSeconds()),
    ss: two(date.getUTCSeconds()),
    Z: zone(time.offsetMinutes, ":", "Z"),
    ZZZ: zone(time.offsetMinutes, "", "UTC"),
    ZZZZ: zone(time.offsetMinutes, "", ""),
    ZZZZZ: zone(time.offsetMinutes, ":", ""),
  };
  if (Object.hasOwn(choices, verb)) return choices[verb]!;
  const forms = Object.keys(choices).filter((form) => form[0] === verb[0]);
  if (forms.length === 0) return functionError(`invalid date format verb ${JSON.stringify(verb)}`);
  return functionError(
    `invalid date format verb ${JSON.stringify(verb)}: must be one of ${forms.join(", ")}`,
  );
}

export interface Clock {
  /** When the plan was made; undefined makes what depends on it unknown. */
  readonly planTime?: Date;
  /** What `timestamp()` gives; undefined while planning, when it is not known yet. */
  readonly now?: Date;
}

const seconds = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, "Z");

export function timeFunctions({ planTime, now }: Clock): readonly EagerFunction[] {
  const current = (name: string, date: Date | undefined): EagerFunction => ({
    name,
    params: [],
    returnType: stringType,
    call: () =>
      date === undefined ? unknownValue(stringType, { notNull: true }) : stringValue(seconds(date)),
  });
  return [
    stringFunction("timeadd", ["timestamp", "duration"], timeadd),
    stringFunction("formatdate", ["format", "time"], formatdate),
    {
      name: "timecmp",
      params: [parameter("timestamp_a", stringType), parameter("timestamp_b", stringType)],
      returnType: numberType,
      call: (args) => {
        const [a, b] = args.map((value) => parseTime(text(value)));
        if (isFunctionError(a!)) return { ...a, argument: 0 };
        if (isFunctionError(b!)) return { ...b, argument: 1 };
        return numberValue(a!.nanoseconds < b!.nanoseconds ? -1 : a!.nanoseconds > b!.nanoseconds ? 1 : 0);
      },
    },
    current("timestamp", now),
    current("plantimestamp", planTime),
  ];
}
