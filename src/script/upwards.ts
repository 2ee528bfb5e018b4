/**
 * @module Going up from a path to what holds it, in a host's shell.
 */

/**
 * Shell text that leaves the directory that holds the path in a variable there, and nothing above the first one. A path
 * without a slash, as an edited state may have one, has nothing above it either: loops end.
 */
export const oneUp = (variable: string): string =>
  `case $${variable} in */*) ${variable}=\${${variable}%/*} ;; *) ${variable}= ;; esac`;
