/**
 * @module The name of a service, as a setting.
 */
import { type AttributeOptions, type AttributeSchema, string } from "../../schema/schema.ts";

/** Characters as in systemd.unit(5). */
export const serviceName = (
  options: Pick<AttributeOptions, "identity" | "hostEffect"> & { readonly more?: string },
): AttributeSchema => {
  const { more, ...flags } = options;
  return string({
    ...flags,
    required: true,
    equivalent: (a, b) => runningService(a) === runningService(b),
    describe: `Name of the service, such as \`nginx\`; with systemd of any unit, such as \`backup.timer\`.${more === undefined ? "" : ` ${more}`}`,
    check(name, show) {
      if (!/^[A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]*$/.test(name))
        return `must be the name of a unit such as "nginx" or "nginx.service"${show(`, not "${name}"`)}`;
      const [, template, type = ""] = /^(.*@)(\.[a-z]+)?$/.exec(name) ?? [];
      if (template === undefined) return undefined;
      const example = show(`, such as "${template}NAME${type}"`);
      return `must be one unit, not a template that units are made of: write what it is for after the @${example}`;
    },
  });
};

/** A service that runs, in words that are the same whichever of its names is used. */
export const runningService = (name: string): string => `service ${name.replace(/\.service$/, "")}`;
