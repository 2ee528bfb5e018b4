/**
 * @module Text → tokens.
 *
 * Accepts every text: what cannot be a token becomes an `Invalid` one, about which the parser complains.
 */
import { scanCode } from "./scan-code.ts";
import { scanHeredoc, scanQuoted, scanTemplate } from "./scan-text.ts";
import { code, createScanner, type ScanMode } from "./scanner.ts";
import { Kind, type Tokens } from "./tokens.ts";

export function scan(text: string, mode: ScanMode): Tokens {
  const s = createScanner(text, mode);
  if (text.charCodeAt(0) === code.byteOrderMark) s.at = 1;
  while (s.at < text.length) {
    switch (s.level.kind) {
      case "code":
        scanCode(s, s.level);
        break;
      case "quoted":
        scanQuoted(s);
        break;
      case "heredoc":
        scanHeredoc(s, s.level);
        break;
      case "template":
        scanTemplate(s);
    }
  }
  s.buffer.add(Kind.EndOfFile, text.length, text.length);
  return s.buffer.tokens();
}
