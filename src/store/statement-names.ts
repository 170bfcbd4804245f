// Names for the statements that are sent again and again: PostgreSQL parses and plans a named one once for each connection, which is more
// than half of its work for a short statement (D-394). It replans by itself after a change of the tables.
import type { SqlQuery } from "@prisma/driver-adapter-utils";

/** Each takes memory in every connection. */
const MAX_NAMED = 200;
/** Of those that were seen once: the number of events in a commit is part of its text. */
const MAX_SEEN = 1_000;

/** The name of a statement; empty for one that has none. A script has no arguments, and cannot be prepared. */
export function createStatementNames(): (query: Pick<SqlQuery, "sql" | "args">) => string {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return ({ sql, args }) => {
    if (args.length === 0) return "";
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMED) return "";
    if (!seen.delete(sql)) {
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.add(sql);
      return "";
    }
    const name = `orch_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
