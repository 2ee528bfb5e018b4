/**
 * @module Limits the memory that a process takes in addition to what it needs.
 */
import { setFlagsFromString } from "node:v8";

/**
 * V8 lets garbage grow to several times the memory in use before it collects: measured with 20,000 instances, 130 MB
 * in use and 540 MB taken. With this it collects after a growth by so many percent; each time takes some 30 ms, mostly
 * on another thread.
 */
const growth = 60;

/** Call once, when the process starts. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`);

/**
 * For a process that mostly waits for another program: keeps the heap for new objects as small as it is, while
 * it could grow to 48 MB. Measured while a plan of 2,000 instances is read: 126 MB instead of 154, in the same time.
 */
export const keepNewHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");
