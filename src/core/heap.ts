/**
 * @module How much memory a process takes beside what it needs.
 */
import { setFlagsFromString } from "node:v8";

/**
 * V8 lets garbage grow to several times of what is in use before it looks for it: measured with 20,000 instances, 130 MB
 * in use and 540 MB taken. With this it looks when there is so much more, in percent; each look takes some 30 ms, mostly
 * on another thread.
 */
const growth = 60;

/** To be called once, when a process starts. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`);

/**
 * For who waits for another program most of the time: the part of the heap for new objects stays as small as it is, where
 * it would take up to 48 MB. Measured while a plan of 2,000 instances is read: 126 MB instead of 154, in the same time.
 */
export const keepNewHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");
