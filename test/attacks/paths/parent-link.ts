import type { Attack, Cell } from "./table/attack.ts";

const strike =
  (target: string) =>
  ({ directory, prize }: Cell) =>
    `[ -L ${directory} ] || { rm -rf ${directory}; ln -s ${prize}/${target} ${directory}; }`;

/** The directory of the object becomes a link to one of root's that has an object of that name. */
export const parentLink: Attack = {
  name: "parent_link",
  against: () => true,
  strike: strike("parent"),
};

/** The same, where no such object is: a new one would be made there. */
export const parentLinkToNothing: Attack = {
  name: "parent_link_to_nothing",
  against: () => true,
  strike: strike("tree"),
};

/** The directory above that becomes a link: neither the last part of the path nor the one before it is one. */
export const grandparentLink: Attack = {
  name: "grandparent_link",
  against: () => true,
  strike: ({ home, prize }) => `[ -L ${home} ] || { rm -rf ${home}; ln -s ${prize}/above ${home}; }`,
};
