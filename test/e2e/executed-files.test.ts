// Holds the number of files that one submit of a known SOP executes, so that the code stays small enough to follow. It may only fall.
// `npm run bench:files -- --list` names the files.
import { expect, test } from "vitest";
import { measureExecution } from "../support/executed-files.ts";

const MOST_FILES = { server: 100, runner: 10 };

test("one submit of a known SOP and its evidence execute no more files than the budget", async () => {
  const { server, runner } = await measureExecution();
  const files = [...server.keys()].sort();
  expect(files.length).toBeGreaterThan(50);
  expect(runner.size).toBeGreaterThan(3);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST_FILES.server);
  expect(runner.size, [...runner.keys()].sort().join("\n")).toBeLessThanOrEqual(MOST_FILES.runner);
});
