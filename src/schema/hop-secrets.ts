/**
 * @module Names of jump hosts' secrets in an entry of `circuit_logins`, which is a map of strings.
 */

/** @param index of the hop, from 0 */
export const hopSecretName = (index: number, setting: string): string => `bastion/${index}/${setting}`;
