// A server that has let go of its database: another one may have it by then.
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/database.ts";
import { aThread, started } from "./store-records.ts";

test("a database that was closed takes no commit, even where another server has it now", async () => {
  const folder = temporaryFolder();
  const url = `file:${join(folder.path, "closed.db")}`;
  const first = await openDatabase({ url, exclusive: true });
  const store = createStore({ database: first, clock: () => new Date() });
  await first.close();
  const second = await openDatabase({ url, exclusive: true });
  const late = store.commit({ thread_id: aThread(), after: "last", events: [started(0)] });
  await expect(late).rejects.toMatchObject({ code: "database_unusable" });
  await second.close();
  folder.remove();
});
