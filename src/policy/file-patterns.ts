// Hands the patterns in which the guard names files to those who look for the files.
export { everythingBelow, isDeepPattern, isPattern, matchesPattern, spelledPattern } from "../guard/guard.ts";
