// LangGraph's official checkpointer validation suite, all of it, run on our saver. Needs vitest globals.
import {
  type CheckpointSaverTestInitializer,
  deltaChannelHistoryTests,
  validate,
} from "@langchain/langgraph-checkpoint-validation";
import { describe } from "vitest";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import type { Database } from "../../src/store/database.ts";

/** `checkpointerName` is one of our own, because the suite excuses known savers from some tests by their name. */
export function officialSaverSuite(checkpointerName: string, create: () => Promise<Database>): void {
  const opened = new Map<PrismaSaver, Database>();
  const initializer: CheckpointSaverTestInitializer<PrismaSaver> = {
    checkpointerName,
    async createCheckpointer() {
      const database = await create();
      const saver = new PrismaSaver(database);
      opened.set(saver, database);
      return saver;
    },
    async destroyCheckpointer(saver) {
      await opened.get(saver)?.close();
      opened.delete(saver);
    },
  };
  validate(initializer);
  describe("delta channel history", () => deltaChannelHistoryTests(initializer));
}
