/**
 * @module Which host a session is with.
 */
import type { Session } from "../ssh/session.ts";

/** Whoever logs in. */
export const hostOf = ({ login }: Session): string => `${login.address}:${login.port}`;
