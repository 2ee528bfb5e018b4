/**
 * @module Imported before all else, for its effect. ^C goes to the whole process group: a provider that it ends while it still
 * loads would leave OpenTofu with a program that said nothing, and its user with a page about that.
 */
process.on("SIGINT", () => undefined);
