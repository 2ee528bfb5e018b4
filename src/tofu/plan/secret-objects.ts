/**
 * @module Which objects hold what is sensitive: only the engine knows, from its plan, and the provider's calls do not say
 * which instance they are about.
 */
import { at } from "../../values/path.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { valueKey } from "../../values/value-key.ts";
import { getPath, isElements, isEntries, isWhollyKnown } from "../../values/walk.ts";

export interface SecretObjects {
  /**
   * @param prior the object that there is; null for a create
   * @param planned what it becomes, unknown inside where not known yet; null for a delete
   */
  add(type: string, prior: Value, planned: Value): void;
  /** Whether it is about one that was added: made from `prior`, or one that may have become `planned` by now. */
  has(type: string, prior: Value, planned: Value): boolean;
}

/** Of values without marks. What looks like an object with a secret counts as one: then less is shown than could be. */
export function createSecretObjects(): SecretObjects {
  const existing = new Set<string>();
  /** By type and host: there are few enough of a host's to look at each. */
  const toBeMade = new Map<string, Value[]>();
  return {
    add(type, prior, planned) {
      if (!isNull(prior)) {
        existing.add(`${type} ${valueKey(prior)}`);
        return;
      }
      const place = placeOf(type, planned);
      const others = toBeMade.get(place);
      if (others === undefined) toBeMade.set(place, [planned]);
      else others.push(planned);
    },
    has(type, prior, planned) {
      if (!isNull(prior)) return existing.has(`${type} ${valueKey(prior)}`);
      // How a host is reached may not have been known when that was planned.
      const candidates = [toBeMade.get(placeOf(type, planned)), toBeMade.get(anywhere(type))];
      return candidates.some((objects) => objects?.some((object) => mayBecome(object, planned)));
    },
  };
}

function placeOf(type: string, planned: Value): string {
  const login = getPath(planned, at("ssh"));
  return login !== undefined && isWhollyKnown(login) ? `${type} ${valueKey(login)}` : anywhere(type);
}

const anywhere = (type: string): string => `${type} anywhere`;

/** Whether what was planned is what there is now, wherever it was known. */
function mayBecome(planned: Value, now: Value): boolean {
  if (isUnknown(planned)) return true;
  const [a, b] = [planned.data, now.data];
  if (isElements(a) && isElements(b))
    return a.length === b.length && a.every((element, place) => mayBecome(element, b[place]!));
  if (isEntries(a) && isEntries(b))
    return (
      a.size === b.size && [...a].every(([name, value]) => b.has(name) && mayBecome(value, b.get(name)!))
    );
  return valueKey(planned) === valueKey(now);
}
