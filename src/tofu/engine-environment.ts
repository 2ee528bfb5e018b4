/**
 * @module The environment that every command of an engine gets.
 */

/** The engine asks nothing, and gives no advice on its own commands. */
const quiet = { TF_INPUT: "0", TF_IN_AUTOMATION: "1" };

/** @param more the attached provider's */
export const engineEnvironment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ...quiet,
  ...more,
});
