/**
 * @module The front of sessions with hosts: a pool (`createSessionPool`) opens one {@link Session} for each distinct {@link Login},
 * over whichever transport that names. What goes wrong with a host is a {@link HostError}.
 */
export { HostError, type HostErrorCode } from "./host-error.ts";
export type { Bastion, Login } from "./login/login.ts";
export type { LoginWarning } from "./transport/transport.ts";
export { type GivenLogin, resolveLogin } from "./login/resolve-login.ts";
export type { Runner, RunRequest, Session, SessionPool, StreamedContent, Written } from "./session.ts";
export { createSessionPool, type SessionPoolOptions } from "./session-pool.ts";
export type { Answered, Asked, HostEvent, Tracing } from "./trace/host-event.ts";
export { createConcealer } from "./trace/concealer.ts";
export { notWritten } from "./trace/not-written.ts";
