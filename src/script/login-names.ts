/**
 * @module Which texts may stand for a host and for a user where commands are put together from them: the rules of OpenSSH
 * (ssh.c, `valid_hostname` and `valid_ruser`), which it has since `ssh` and its proxy commands expanded what others chose.
 */

/**
 * What keeps a text from being the name or address of a host.
 * @returns what it must be; undefined when nothing does
 */
export function badHostName(name: string): string | undefined {
  if (name === "") return "must not be empty";
  if (name.startsWith("-")) return 'must not start with "-"';
  if (/[\s\p{Cc}]/u.test(name)) return "must not hold white space or control characters";
  if (/['"`$\\;&<>|(){},]/.test(name)) return `must be without ${ofShells}`;
  return undefined;
}

/**
 * What keeps a text from being the name of a user to log in as. Names of domains have backslashes, those of machines a dollar
 * sign.
 * @returns as {@link badHostName}
 */
export function badUserName(name: string): string | undefined {
  if (name === "") return "must not be empty";
  if (name.startsWith("-")) return 'must not start with "-"';
  if (/\p{Cc}/u.test(name)) return "must not hold control characters";
  if (/\s-/.test(name)) return 'must not have a "-" after white space';
  if (name.endsWith("\\")) return "must not end with a backslash";
  if (/['"`;&<>|(){}]/.test(name)) return `must be without ${ofShells}`;
  return undefined;
}

const ofShells = "quotes, brackets and other characters that mean something to a shell";
