/**
 * @module Where a state is unless something else is said: where OpenTofu's local backend has it.
 */
export const defaultStatePath = "terraform.tfstate";
