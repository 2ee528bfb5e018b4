/**
 * @module Keys of instances that a circuit's step has: one for each host, or one for each host and key of the step's own
 * `for_each`.
 */

export interface HostKey {
  /** Name of the host. */
  readonly host: string;
  /** The key in the step's own `for_each`; undefined for a step without one. */
  readonly own: string | undefined;
}

/** `web1`, or `web1/curl`. */
export const hostKeyText = ({ host, own }: HostKey): string => (own === undefined ? host : `${host}/${own}`);

/**
 * What the text of a key says. Only for what nothing else is left of: instances in a state that are not configured, and
 * keys within stored values. A host's name has no slash in it.
 */
export function storedHostKey(key: string): HostKey {
  const slash = key.indexOf("/");
  return slash === -1
    ? { host: key, own: undefined }
    : { host: key.slice(0, slash), own: key.slice(slash + 1) };
}
