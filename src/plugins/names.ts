/**
 * @module Names of kinds, which are names of blocks and parts of resource types.
 */

export const isPlugInName = (name: string): boolean => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name);
