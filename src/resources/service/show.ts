/**
 * @module What `systemctl show` prints of one unit.
 */

/** Values by the name of a property. */
export type Properties = ReadonlyMap<string, string>;

export const propertiesOf = (block: string): Properties =>
  new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
