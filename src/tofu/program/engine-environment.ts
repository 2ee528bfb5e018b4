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

/**
 * {@link engineEnvironment} for a command whose output a program reads, without the arguments that the user has for all
 * commands: `TF_CLI_ARGS=-input=false` is for those that plan and apply, and others refuse it.
 *
 * @param more the attached provider's
 */
export const questionEnvironment = (more?: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(engineEnvironment(more)).filter(([name]) => !/^TF_CLI_ARGS(?:_|$)/.test(name)),
  );
