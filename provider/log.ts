/**
 * @module The provider's log: lines of JSON on stderr in the form of go-hclog, which OpenTofu sorts into its own log.
 */

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** @param fields never hold a value of a resource: it may be sensitive */
export type Log = (
  level: LogLevel,
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;

const levels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

/**
 * A log that leaves out lines that OpenTofu would drop, as `TF_LOG_PROVIDER` and `TF_LOG` say. Without either only
 * warnings and errors are written.
 */
export function createLog(environment: NodeJS.ProcessEnv, write: (line: string) => void): Log {
  const least = levels.indexOf(wantedLevel(environment));
  return (level, message, fields = {}) => {
    if (levels.indexOf(level) < least) return;
    const line = {
      "@level": level,
      "@message": message,
      "@module": "conn3x",
      // Exactly six digits of a second: a line with another time is taken for plain text.
      "@timestamp": new Date().toISOString().replace("Z", "000Z"),
      ...fields,
    };
    write(`${JSON.stringify(line)}\n`);
  };
}

function wantedLevel(environment: NodeJS.ProcessEnv): LogLevel {
  const text = (environment.TF_LOG_PROVIDER || environment.TF_LOG || "").toLowerCase();
  // `json` means the lowest level in another format.
  if (text === "json") return "trace";
  return levels.find((level) => level === text) ?? "warn";
}
