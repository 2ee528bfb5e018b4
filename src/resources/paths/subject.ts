/**
 * @module What is asked about an object at a path.
 */
import type { PlainObject } from "../../values/plain.ts";

/** A path, and whether a symbolic link there counts for what it leads to. */
export type PathSubject = readonly [path: string, follow: boolean];

export const pathSubject = (object: PlainObject): PathSubject => [String(object.path), follows(object)];

export const pathOf = ([path]: PathSubject): string => path;

/** Whether a symbolic link at the path counts for what it leads to. */
export const follows = (object: PlainObject): boolean => object.follow === true;
