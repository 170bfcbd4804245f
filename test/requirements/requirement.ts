// What a requirement is, and how the files beside this one write them.
export interface Requirement {
  readonly id: string;
  /** One claim, as a sentence. */
  readonly text: string;
  /** The table of which it is a row. */
  readonly table: string | null;
}

type Texts = Readonly<Record<string, string>>;

export const claims = (texts: Texts): Requirement[] =>
  Object.entries(texts).map(([id, text]) => ({ id, text, table: null }));

/** The rows of one table, by the last part of their ids. */
export const rows = (table: string, texts: Texts): Requirement[] =>
  Object.entries(texts).map(([row, text]) => ({ id: `${table}.${row}`, text, table }));
