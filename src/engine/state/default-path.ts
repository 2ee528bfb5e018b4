/**
 * @module The default path of a state, as of OpenTofu's local backend.
 */
export const defaultStatePath = "terraform.tfstate";
