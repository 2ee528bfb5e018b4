/**
 * @module In which blocks a place in a configuration file lies, for "in circuit "web", step "config"".
 *
 * It scans the text rather than asking the parser, since a diagnostic about a file that does not parse wants it too.
 */

interface OpenBlock {
  /** `step "config"`; undefined for braces that are an object. */
  readonly header: string | undefined;
  readonly start: number;
}

/** Anything in code that matters here: comments, heredoc starts, quotes, braces, line ends. */
const tokenInCode =
  /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<<-?(?<heredoc>[\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n|["{}\n]/gu;
/** In a quoted template: escapes are passed over; `${` and `%{` lead back into code. */
const tokenInQuotes = /\\.|\$\$\{|%%\{|[$%]\{|["\n]/gsu;
const blockHeader =
  /^[\p{ID_Start}_][\p{ID_Continue}-]*(?:\s+(?:"(?:[^"\\]|\\.)*"|[\p{ID_Start}_][\p{ID_Continue}-]*))*$/u;

/**
 * Headers of the blocks around `offset`, outermost first: `circuit "web"`, `step "config"`, `file`. A block reaches
 * from its header to its closing brace.
 */
export function enclosingBlocks(text: string, offset: number): string[] {
  const open: (OpenBlock | "quotes")[] = [];
  let statement = 0;
  let at = 0;
  while (at < text.length && (statement <= offset || open.length > 0)) {
    const quoted = open.at(-1) === "quotes";
    const token = next(quoted ? tokenInQuotes : tokenInCode, text, at);
    if (token === undefined) break;
    at = token.index + token[0].length;
    if (token.groups?.heredoc !== undefined) at = endOfHeredoc(text, at, token.groups.heredoc);
    else if (token[0] === '"') quoted ? open.pop() : open.push("quotes");
    else if (quoted) {
      // A quoted template ends with its line: one that does not is a syntax error, and must not swallow the file.
      if (token[0] === "\n") open.pop();
      else if (token[0] === "${" || token[0] === "%{") open.push({ header: undefined, start: token.index });
    } else if (token[0] === "{") {
      open.push({ header: headerOf(text.slice(statement, token.index)), start: startOf(text, statement) });
    } else if (token[0] === "}") {
      const inner = open.at(-1);
      if (inner !== undefined && inner !== "quotes" && inner.start <= offset && offset < at)
        return headers(open, offset);
      open.pop();
    }
    if (!quoted && /^[{}\n]$/.test(token[0])) statement = at;
  }
  return headers(open, offset);
}

function next(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}

function endOfHeredoc(text: string, from: number, marker: string): number {
  const end = new RegExp(`^[ \\t]*${marker}[ \\t]*\\r?$`, "gmu");
  end.lastIndex = from;
  return end.exec(text) === null ? text.length : end.lastIndex;
}

function headerOf(text: string): string | undefined {
  const header = text.trim();
  return blockHeader.test(header) ? header.replace(/\s+/g, " ") : undefined;
}

const startOf = (text: string, statement: number): number =>
  statement + (text.slice(statement).length - text.slice(statement).trimStart().length);

const headers = (open: readonly (OpenBlock | "quotes")[], offset: number): string[] =>
  open.flatMap((block) =>
    block !== "quotes" && block.header !== undefined && block.start <= offset ? [block.header] : [],
  );
