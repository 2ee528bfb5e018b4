/**
 * @module How a whole file is put in place on a host: what an operation of a kind and the session that carries it out share.
 */

/** Everything but the content. */
export interface PutRequest {
  /** Absolute path on the host. */
  readonly path: string;
  /** Permission bits; a new file without it gets 0644, an existing one keeps what it has. */
  readonly mode?: number;
  /** User name or number; unset keeps it (a new file belongs to the acting user). */
  readonly owner?: string;
  readonly group?: string;
  /** Whether a symbolic link at `path` is followed (its target is written) or replaced. */
  readonly follow: boolean;
  /**
   * Whether missing directories above `path` are made: 0755, of the acting user, and gone again when the file cannot be
   * put there. Default false: that is an error.
   */
  readonly parents?: boolean;
  /**
   * The user's command that checks the new file before it replaces the old one: `%s` stands for its path, quoted already,
   * `%%` for a percent sign. Any status but 0 leaves the old file as it is.
   */
  readonly validate?: string;
  /** Whether a file that is replaced is kept beside it, as `PATH.YYYY-MM-DDTHHMMSSZ-RANDOM~`. */
  readonly backup?: boolean;
  /**
   * Whether a file that is there is written over instead of replaced, once all of the content has arrived beside it: its
   * other names, its mount and its access control list stay. Not atomic.
   */
  readonly inPlace?: boolean;
}
