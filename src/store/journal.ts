// Reads the journal: one thread in order, or the messages to the supervisor across all threads.
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { eventOf } from "./rows.ts";

export const createJournal = ({ client }: Database): Pick<Store, "readJournal" | "readMessages"> => ({
  async readJournal(thread_id, page) {
    const rows = await client.journalEvent.findMany({
      where: { thread_id, seq: { gt: page?.after ?? 0 } },
      orderBy: { seq: "asc" },
      ...(page !== undefined && { take: page.limit }),
    });
    return rows.map(eventOf);
  },
  async readMessages(after, limit) {
    const rows = await client.journalEvent.findMany({
      where: { message: true, cursor: { gt: after } },
      orderBy: { cursor: "asc" },
      take: limit,
    });
    return rows.map((row) => ({ cursor: row.cursor, event: eventOf(row) }));
  },
});
