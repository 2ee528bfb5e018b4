/**
 * @module A problem of several hosts that is reported once: the other hosts.
 */

/** More hosts than this are counted. */
const mostHosts = 20;

/**
 * @param detail what is reported about one host
 * @param others names of the other hosts, in the order in which they are reported; not empty
 */
export function sameOn(detail: string, others: readonly string[]): string {
  const named = others.slice(0, mostHosts).join(", ");
  const more = others.length > mostHosts ? ` and ${others.length - mostHosts} more` : "";
  const count = others.length === 1 ? "1 more host" : `${others.length} more hosts`;
  return `${detail}\n\nThe same on ${count}: ${named}${more}.`.trimStart();
}
