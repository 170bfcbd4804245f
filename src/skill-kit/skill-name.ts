// The names that a skill may have: that of its directory, which is in the names of its tools.

const NAME = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
const MAX_NAME = 32;

/** What is wrong with the name, as the rest of a sentence; null when nothing is. */
export const nameFault = (name: string): string | null =>
  NAME.test(name) && name.length <= MAX_NAME
    ? null
    : `${JSON.stringify(name)} is no name for a skill: use lower case letters, digits, and - or _ between them, at most ${MAX_NAME}`;

/** The first intent of a new skill. */
export const intentOf = (name: string): string => name.replaceAll("-", "_");
