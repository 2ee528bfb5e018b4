/**
 * @module What every test file of the unit and engines projects starts with: in CI properties are tried on the same
 * cases each time, so that a red run is about the change; elsewhere on new ones each time.
 */
import fc from "fast-check";

if (process.env.CI === "true") fc.configureGlobal({ seed: 20261130 });
