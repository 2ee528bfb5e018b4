/**
 * @module The forms in which a secret turns up in other texts: what is looked for wherever one must not be shown.
 */

/**
 * As it is, each of its lines, and what shells, JSON, URLs, base64 and hexadecimal digits make of it. Forms that are alike
 * come once; some may be too short to be looked for.
 */
export function secretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const formsOf = secret.length > mostForAll ? commonForms : allForms;
  const written = [secret, ...secret.split(/\r?\n/)].flatMap((text) =>
    plain.test(text) ? [text] : formsOf(text),
  );
  const encoded = [...base64Forms(bytes), bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  return [...new Set([...written, ...encoded])];
}

/** Characters up to which each line is looked for in all forms: longer texts are files, which nobody puts into a URL. */
const mostForAll = 32 * 1024;

const allForms = (text: string): readonly string[] => [
  text,
  ...inShells(text),
  ...inJson(text),
  ...inUrls(text),
];

const commonForms = (text: string): readonly string[] => [
  text,
  inQuotes(text),
  inQuotes(inQuotes(text)),
  JSON.stringify(text).slice(1, -1),
];

/** What is written the same everywhere. */
const plain = /^[\w.-]*$/;

/** Between single quotes (a command for another user has two pairs), by `set -x` of dash and of bash, by `printf %q`. */
function inShells(text: string): readonly string[] {
  const quoted = inQuotes(text);
  const ansi = text.replace(/[\\'\n\r\t]/g, (one) => ansiEscapes[one]!);
  const octal = ansi.replace(/[^ -~]+/gu, octals);
  return [
    quoted,
    inQuotes(quoted),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["\\$`]/g, "\\$&"),
    text.replace(/[\s"'`\\$|&;()<>!{}*[\]?^,]/g, "\\$&"),
    ansi,
    octal,
  ];
}

const inQuotes = (text: string): string => text.replaceAll("'", "'\\''");

/** What is not ASCII, where a shell has no language. */
const octals = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

const ansiEscapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** As JavaScript writes it; as Go does, for HTML; and in ASCII. Each may be part of another text in JSON. */
function inJson(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const forms = [json, json.replace(/[<>&\u2028\u2029]/g, unicode), json.replace(/[^ -~]/g, unicode)];
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1)), json.replaceAll("/", "\\/")];
}

const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Of parts of URLs as JavaScript and others write them, and of forms; with both spellings of digits. */
function inUrls(text: string): readonly string[] {
  // Half a character cannot be written there.
  const part = encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));
  const strict = part.replace(/[!'()*]/g, percents);
  const form = part.replace(/[!'()~]/g, percents).replaceAll("%20", "+");
  const forms = [part, strict, strict.replaceAll("%20", "+"), form];
  return [...forms, ...forms.map((one) => one.replace(/%../g, (digits) => digits.toLowerCase()))];
}

const percents = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;

/** Columns at which `base64` and PEM break lines. */
const widths = [76, 64];

/**
 * Alone and within other bytes, where it begins at any of three offsets in four characters and its first and last ones depend
 * on what is around it; in both alphabets, and broken into lines.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const forms = [whole, ...within];
  const lines = widths.flatMap((width) =>
    whole.length > width ? (whole.match(new RegExp(`.{1,${width}}`, "g")) ?? []) : [],
  );
  return [...forms, ...forms.map(urlAlphabet), ...lines];
}

const urlAlphabet = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
