/**
 * @module The settings of which a file needs exactly one.
 */
export const bodies = ["content", "content_base64", "source", "secret_content"] as const;
