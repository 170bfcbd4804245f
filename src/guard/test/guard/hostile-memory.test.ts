// Plans whose texts are made to fill memory are judged in a small heap: that of the thread that judges is four times as large.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("hostile-memory.ts", import.meta.url));
/** A process of its own: one whose heap is full ends as a whole. */
const HEAP = "--max-old-space-size=128";

test("plans of 60 texts that are made to fill memory are judged in 128 MB", () => {
  const { status, stdout } = spawnSync(process.execPath, [HEAP, PROGRAM], { encoding: "utf8" });
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("judged");
  expect(status).toBe(0);
});
