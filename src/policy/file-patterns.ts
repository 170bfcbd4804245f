// Reads the patterns in which the guard names files that a step runs.
import * as guard from "../guard/guard.ts";

/** Whether a path that a step runs means all files that match it. */
export const isPattern = (path: string): boolean => guard.isPattern(path);

/** Whether files of directories below match as well. */
export const isDeepPattern = (pattern: string): boolean => guard.isDeepPattern(pattern);

export const matchesPattern = (pattern: string, path: string): boolean => guard.matchesPattern(pattern, path);

/** As people write it. */
export const spelledPattern = (pattern: string): string => guard.spelledPattern(pattern);

/** The pattern of all files below a directory. */
export const everythingBelow = (directory: string): string => guard.everythingBelow(directory);
