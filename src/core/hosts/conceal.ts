/**
 * @module The secrets that a provider was handed: those at sensitive paths of the objects in requests. No log shows them,
 * and no diagnostic, whatever a program on a host or on the controller printed: an engine prints those as they are.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { BlockSchema } from "../../schema/schema.ts";
import { createConcealer, type SessionPool } from "../../ssh/index.ts";
import type { Path } from "../../values/path.ts";
import { textsOf } from "../../values/texts.ts";
import type { Value } from "../../values/value.ts";
import { getPath, isElements, isEntries } from "../../values/walk.ts";

export interface Secrets {
  /**
   * Learns the values at sensitive paths, for as long as the provider lives.
   *
   * @param paths sensitive paths in addition to those of the schema
   * @returns them all, for {@link hide}
   */
  learn(schema: BlockSchema, object: Value, paths?: readonly Path[]): readonly string[];
  /** @param own secrets of the request that they answer, which are left out whatever their size is */
  hide(diagnostics: readonly Diagnostic[], own?: readonly string[]): readonly Diagnostic[];
}

/** What a diagnostic shows instead of a secret. */
const mask = "(sensitive value)";

/**
 * Characters of a secret that diagnostics about other objects are searched for: shorter ones are words of theirs, such as
 * `true` in a command's environment, and what is much longer is not quoted as a whole.
 */
const sought = { least: 8, most: 64 * 1024 };

export function createSecrets({ conceal }: Pick<SessionPool, "conceal">): Secrets {
  const everywhere = createConcealer(mask);
  /** Learned and not looked for yet: most runs have nothing to report. */
  const learned = new Set<string>();
  return {
    learn(schema, object, paths = []) {
      const values = paths.flatMap((path) => getPath(object, path) ?? []);
      addSensitive(sensitivePart(schema), object, values);
      const texts = values.flatMap(textsOf);
      for (const text of texts) {
        conceal?.(text);
        if (text.length >= sought.least && text.length <= sought.most) learned.add(text);
      }
      return texts;
    },
    hide(diagnostics, own = []) {
      if (diagnostics.length === 0) return diagnostics;
      for (const text of learned) everywhere.add(text);
      learned.clear();
      const here = createConcealer(mask);
      for (const text of own) here.add(text);
      const without = (text: string): string => everywhere.conceal(here.conceal(text));
      return diagnostics.map((diagnostic) => {
        const [summary, detail] = [without(diagnostic.summary), without(diagnostic.detail)];
        const isClean = summary === diagnostic.summary && detail === diagnostic.detail;
        return isClean ? diagnostic : { ...diagnostic, summary, detail };
      });
    },
  };
}

/** What of a schema is sensitive: its attributes, and the blocks in which something is. */
interface SensitivePart {
  readonly names: readonly string[];
  readonly blocks: readonly { readonly name: string; readonly part: SensitivePart }[];
}

/** Each schema is one of a few that live as long as the program, and is asked about for each object in each request. */
const parts = new WeakMap<BlockSchema, SensitivePart>();

function sensitivePart(schema: BlockSchema): SensitivePart {
  const known = parts.get(schema);
  if (known !== undefined) return known;
  const part: SensitivePart = {
    names: Object.entries(schema.attributes).flatMap(([name, { sensitive }]) => (sensitive ? [name] : [])),
    blocks: Object.entries(schema.blocks).flatMap(([name, block]) => {
      const inner = sensitivePart(block);
      return inner.names.length + inner.blocks.length === 0 ? [] : [{ name, part: inner }];
    }),
  };
  parts.set(schema, part);
  return part;
}

/** Adds the values at the sensitive paths of a block; of a repeated one, in each of its elements. */
function addSensitive({ names, blocks }: SensitivePart, { data }: Value, found: Value[]): void {
  if (isElements(data)) {
    for (const element of data) addSensitive({ names, blocks }, element, found);
    return;
  }
  if (!isEntries(data)) return;
  for (const name of names) {
    const value = data.get(name);
    if (value !== undefined && value.data !== null) found.push(value);
  }
  for (const { name, part } of blocks) {
    const value = data.get(name);
    if (value !== undefined) addSensitive(part, value, found);
  }
}
