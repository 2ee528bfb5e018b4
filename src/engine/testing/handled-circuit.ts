/**
 * @module A circuit with a handler, and whether the handler ran wherever it had to.
 */

export interface Scenario {
  readonly hosts: number;
  readonly steps: number;
  readonly parallelism: number;
}

/** A circuit with a handler that every step notifies. */
export function circuit({ hosts, steps }: Scenario, content: string): string {
  const names = Array.from({ length: hosts }, (_, i) => `"h${i}"`).join(", ");
  const step = (i: number) => `resource "test_file" "web__s${i}" {
    for_each   = toset([${names}])
    path       = "/s${i}"
    content    = "${content}"
    depends_on = [${i === 0 ? "" : `test_file.web__s${i - 1}`}]
    ssh {
      address = each.key
    }
  }`;
  const all = Array.from({ length: steps }, (_, i) => i);
  return `${all.map(step).join("\n")}
  resource "test_action" "web__run" {
    for_each   = toset([${names}])
    name       = "run"
    triggers   = [${all.map((i) => `test_file.web__s${i}[each.key].revision`).join(", ")}]
    depends_on = [test_file.web__s${steps - 1}]
    ssh {
      address = each.key
    }
  }`;
}

export const hostNames = ({ hosts }: Scenario): readonly string[] =>
  Array.from({ length: hosts }, (_, i) => `h${i}`);
/** What was done on a host. */
export const entries = (log: readonly string[], host: string): readonly string[] =>
  log.filter((line) => line.includes(` ${host}:`));

/** Hosts where a file was written and the handler did not run after the last one. */
export const hostsWithoutHandler = (log: readonly string[], of: Scenario): readonly string[] =>
  hostNames(of).filter((host) => {
    const lines = entries(log, host).filter((line) => !line.startsWith("forget"));
    return lines.some((line) => line.startsWith("write")) && lines.at(-1) !== `run ${host}:run`;
  });
