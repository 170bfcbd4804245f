// A server that is killed while it saves: every checkpoint that is there is there with all that belongs to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import { openDatabase } from "../../src/store/database.ts";
import { temporaryFolder } from "../support/database.ts";

const CHILD = join(import.meta.dirname, "saver-child.ts");
const folder = temporaryFolder();
afterAll(() => folder.remove());

test.each([1, 2, 3])(
  "killed while saving, it leaves whole checkpoints and all that were reported (%i)",
  async (round) => {
    const url = `file:${join(folder.path, `${round}.db`)}`;
    const child = spawn(process.execPath, [CHILD, url], { stdio: ["ignore", "pipe", "inherit"] });
    let reported = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      reported += text;
    });
    await once(child.stdout, "data");
    await sleep(60 + round * 7);
    child.kill("SIGKILL");
    await once(child, "close");

    const database = await openDatabase({ url });
    const saver = new PrismaSaver(database);
    const steps: number[] = [];
    for await (const { checkpoint, metadata } of saver.list({ configurable: { thread_id: "t" } })) {
      expect(Object.keys(checkpoint.channel_values)).toHaveLength(40);
      steps.push(metadata?.step ?? 0);
    }
    const last = reported.trim().split("\n").length;
    expect(steps.length).toBeGreaterThanOrEqual(last);
    expect(steps).toEqual(steps.map((_, index) => steps.length - index));
    expect(await database.client.checkpointBlob.count()).toBe(steps.length * 40);
    await database.close();
  },
);
