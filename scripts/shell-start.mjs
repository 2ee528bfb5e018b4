const missing = "Conn3x's provider needs Node.js 20 or newer, and there is no node on the PATH";

/**
 * The first lines of the provider. An engine that starts it where there is no Node would say nothing but that it read no
 * line: so a shell reads the file first, for which these lines are the program, and for Node a string and a comment. Engines
 * show a line that they cannot understand.
 */
export const shellStart = `#!/bin/sh
":" //; command -v node >/dev/null 2>&1 || { echo "${missing}"; exit 127; }; exec node "$0" "$@"`;
