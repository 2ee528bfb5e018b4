/**
 * @module Blocks of a configuration that this engine does not act on.
 */
import type { Configuration } from "../../compiler/model.ts";

/** @param isCalled whether it is a module: that cannot configure the provider */
export const foreignBlocks = (
  { foreign, providers }: Configuration,
  isCalled: boolean,
): Configuration["foreign"] => [
  ...foreign,
  ...(isCalled
    ? providers.map((block) => ({ block, why: "Only the root module may configure the provider here." }))
    : []),
];
