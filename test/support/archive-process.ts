// A process that archives everything in a database that has ended, and may be killed at any moment of it.
import { composeArchive } from "../../src/features/keeping/keeping.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createShrink } from "../../src/store/shrink.ts";
import { createStore } from "../../src/store/store.ts";

const [url = "", archive_dir = ""] = process.argv.slice(2);
const database = await openDatabase({ url, exclusive: true });
const clock = () => new Date(Date.now() + 400 * 86_400_000);
const store = createStore({ database, clock, archive_dir });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let done: Promise<void> = Promise.resolve();
const every = (_name: string, _ms: number, act: (signal: AbortSignal) => Promise<void>) => {
  done = act(new AbortController().signal);
  return { wake: async () => undefined };
};
const parts = { store, clock, log: silent, wakeups: { every }, shrink: createShrink(database) };
composeArchive({ archive_dir, keep_days: 180 }, parts).shareArchive();
await done;
await database.close();
