// The beginning of a server's message, for an error message.

const HEAD = 500;

export const head = (words: string): string =>
  words.length > HEAD ? `${words.slice(0, HEAD).toWellFormed()}…` : words;
