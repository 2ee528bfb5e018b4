/**
 * @module Templates: text with interpolations and directives.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import type { TemplateFor, TemplateIf, TemplatePart } from "../hcl/tree.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { withMarks } from "../values/marks.ts";
import { stringType } from "../values/type.ts";
import { type Mark, stringValue, Unknown, unknownValue, type Value } from "../values/value.ts";
import { choose } from "./conditional.ts";
import { type Evaluator, failed, type Outcome, withMarksOf } from "./evaluator.ts";
import { iterated, withItem } from "./for-expression.ts";

/** A string; but a lone interpolation keeps the type of its expression. */
export function evaluateTemplate(parts: readonly TemplatePart[], at: Evaluator): Value {
  const [first] = parts;
  if (parts.length === 1 && first?.kind === "interpolation") return at.evaluate(first.expression);
  return join(parts, at);
}

function join(parts: readonly TemplatePart[], at: Evaluator): Value {
  const text = new TextBuilder();
  for (const part of parts) {
    if (part.kind === "literal") text.append(stringValue(part.value));
    else text.append(asText(partValue(part, at), part.kind === "interpolation" ? part.expression : part, at));
  }
  return text.value();
}

/** What an interpolation or directive puts into the text, not yet a string. */
function partValue(part: Exclude<TemplatePart, { kind: "literal" }>, at: Evaluator): Value {
  if (part.kind === "interpolation") return at.evaluate(part.expression);
  return part.kind === "if" ? evaluateIf(part, at) : evaluateForDirective(part, at);
}

/** The value as a string, which may be unknown. A value that cannot be converted is reported and counts as unknown. */
function asText(value: Value, range: SourceRange, at: Evaluator): Value {
  const invalid = (detail: string): Value => {
    failed(at, range, "Invalid template interpolation value", detail);
    return unknownValue(stringType);
  };
  if (value.data === null) {
    return invalid("The expression result is null. Cannot include a null value in a string template.");
  }
  const conversion = convert(value, stringType);
  if (!isConversionError(conversion)) return conversion.value;
  return invalid(`Cannot include the given value in a string template: ${conversion.error}.`);
}

function evaluateIf(part: TemplateIf, at: Evaluator): Value {
  const branch = (parts: readonly TemplatePart[] | undefined): Outcome =>
    at.apart(templateOf(parts ?? [], part));
  return choose(
    at,
    part,
    { range: part.condition, value: at.evaluate(part.condition) },
    branch(part.then),
    branch(part.otherwise),
  );
}

/** A branch as an expression of its own. */
function templateOf(parts: readonly TemplatePart[], { file, start, end }: SourceRange) {
  return { kind: "template", form: "quoted", parts, file, start, end } as const;
}

function evaluateForDirective(part: TemplateFor, at: Evaluator): Value {
  const collection = at.evaluate(part.collection);
  const items = iterated(collection, part.collection, at);
  if (items === undefined) return withMarksOf(unknownValue(stringType), collection);
  const text = new TextBuilder();
  for (const item of items) {
    const inner = withItem(part, item, collection, at);
    text.append(asText(evaluateTemplate(part.body, inner), part, inner));
  }
  return withMarksOf(text.value(), text.value(), collection);
}

/** Text that is known up to the first unknown piece. */
class TextBuilder {
  #text = "";
  #known = true;
  readonly #marks = new Set<Mark>();

  append({ data, marks }: Value): void {
    for (const mark of marks ?? []) this.#marks.add(mark);
    if (!this.#known) return;
    if (typeof data === "string") {
      this.#text += data;
      return;
    }
    this.#known = false;
    if (data instanceof Unknown) this.#text += data.refinement?.prefix ?? "";
  }

  value(): Value {
    return withMarks(this.#known ? stringValue(this.#text) : this.#unknown(), this.#marks);
  }

  #unknown(): Value {
    const prefix = safePrefix(this.#text);
    return unknownValue(stringType, prefix === "" ? { notNull: true } : { notNull: true, prefix });
  }
}

/** Without the last character unless it is ASCII punctuation: what follows may combine with it (NFC). */
function safePrefix(text: string): string {
  const whole = text.normalize("NFC");
  return /[\s!-/:-@[-`{-~]$/.test(whole) ? whole : whole.replace(/.[\p{M}\u200d]*$/su, "");
}
