/**
 * @module OpenTofu's options that this version does not have, with what to do instead: somebody who knows OpenTofu
 * types them.
 * Source: `tofu plan -help`, `tofu apply -help`, `tofu show -help` of 1.12.
 */
export const absentOptions: Readonly<Record<string, string>> = {
  exclude: "-target, -circuit, -step and -limit say what is wanted instead.",
  "state-out": "The state is written where it was read: -state=PATH.",
  backup: "The state before the last run stays beside it, with the ending .backup.",
  "generate-config-out": "Write the resource yourself.",
  concise: "Use -expand to see more, and nothing to see less.",
  "show-sensitive": "Sensitive values are shown by conn3x output -raw NAME only.",
};
