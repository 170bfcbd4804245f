// Whether the time in a record is that of the journal entry it was committed with. The record's is taken a moment before,
// and a commit may wait for its turn.
const PATIENCE_MS = 600_000;

export const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= PATIENCE_MS;
