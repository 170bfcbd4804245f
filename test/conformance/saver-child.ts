// A process that saves checkpoints until it is killed: `node saver-child.ts <url>`. Prints one line per saved checkpoint.
import type { RunnableConfig } from "@langchain/core/runnables";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import { openDatabase } from "../../src/store/database.ts";

const saver = new PrismaSaver(await openDatabase({ url: process.argv[2] ?? "" }));
const channels = Array.from({ length: 40 }, (_, index) => `channel-${index}`);
let config: RunnableConfig = { configurable: { thread_id: "t" } };
for (let step = 1; ; step++) {
  const values = channels.map((channel) => [channel, `${channel} at ${step} ${"x".repeat(5000)}`]);
  const versions = Object.fromEntries(channels.map((channel) => [channel, step]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(step),
    channel_values: Object.fromEntries(values),
    channel_versions: versions,
  };
  config = await saver.put(config, checkpoint, { source: "loop", step, parents: {} }, versions);
  process.stdout.write(`${step}\n`);
}
