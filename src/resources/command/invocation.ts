/**
 * @module The script for a host's shell: the user's text with its environment, directory and user.
 *
 * Neither the text nor a variable's value is ever an argument of a process, where others could see it.
 */
import { quote } from "../../script/script.ts";
import { isPlainObject, type Plain, type PlainObject } from "../../values/plain.ts";
import { mask } from "./secrets.ts";

/** What the settings want run. */
export function commandText(settings: PlainObject): string {
  const { run, script, interpreter } = settings;
  if (typeof run === "string") return run;
  const program = Array.isArray(interpreter) ? interpreter.map(String) : [];
  return program.length === 0
    ? String(script)
    : `printf '%s\\n' ${quote(String(script))} | ${program.map(quote).join(" ")}`;
}

/** `text` in the environment, the directory and as the user that the settings say. */
export function invocation(settings: PlainObject, text: string): string {
  const lines = [...exports(settings.environment), ...exports(settings.secret_environment)];
  lines.push(typeof settings.cwd === "string" ? `cd -- ${quote(settings.cwd)} || exit 126` : "cd || cd /");
  lines.push(text);
  const script = lines.join("\n");
  return typeof settings.user === "string" ? asUser(settings.user, script) : script;
}

/** The same, as a log may show it. */
export function writtenInvocation(settings: PlainObject, text: string): string {
  const { secret_environment: secrets } = settings;
  const masked = isPlainObject(secrets)
    ? Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value === null ? null : mask]))
    : null;
  return invocation({ ...settings, secret_environment: masked }, text);
}

const exports = (variables: Plain | undefined): readonly string[] =>
  isPlainObject(variables)
    ? Object.entries(variables).flatMap(([name, value]) =>
        value === null ? [] : `export ${name}=${quote(String(value))}`,
      )
    : [];

/**
 * The other user's shell reads the script by a pipe from a builtin; descriptor 3 carries the input past it.
 * (`runuser` and `su` differ in what they set, so all of it is set here; `~name` is the shell's own.)
 */
function asUser(user: string, script: string): string {
  return `conn3x_text=${quote(script)}
if [ "$(id -un)" = ${user} ]; then eval "$conn3x_text"
else
  if [ "$(id -u)" != 0 ]; then echo "only root can run a command as ${user}: set become in the ssh block" >&2; exit 126; fi
  if ! id -- ${user} >/dev/null 2>&1; then echo "there is no user ${user}" >&2; exit 126; fi
  if command -v runuser >/dev/null 2>&1; then set -- runuser -u ${user} -- /bin/sh -c
  else set -- su -s /bin/sh ${user} -c
  fi
  HOME=~${user} USER=${user} LOGNAME=${user}
  export HOME USER LOGNAME
  exec 3<&0
  printf %s "$conn3x_text" | "$@" 'conn3x_text=$(cat); exec <&3 3<&-; eval "unset conn3x_text
$conn3x_text
"'
fi`;
}
