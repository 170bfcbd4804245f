// The budget of files that one submit of a known SOP executes, so that the code stays small enough to follow. Raise it only
// for a step of the pipeline that has been added (80 until the looks at checks; 101 with a check that is looked at before the
// change and whose proof is counted; 106 with what its text says of time and of the files that it runs; 122 with the epoch of
// the server, what is known of damaged rows, the claim of a task by its lease, and the comparison of a version with what was
// promoted; 130 with the world that a step leaves and the scripts that it runs, read, judged and compared; 144 with the labels that a task
// needs, the freezes that may hold it, who has its target, and what is announced to other servers; 150 with the level of its journal, how its step ended where that cannot
// be written, who hears of it at the console, and the reads of tasks in a file of their own; 155 with the archive that a journal may be in and the roots that prove it; 158 with the trace
// that a submit may name, which the thread hands on; 162 with the shells that are made ready, the rows that are known, and a commit that is
// sent again; 172 with lost answers, files and tools that an approval covers, and checks that are polled; 176 with the fields of a contract that orch does not
// know, and the answers of the routing model that are counted; the runner 8 until it hides
// the files of orch from steps, 10 until processes wait for commands, 11 until shells wait at their gate, 12 until it names what a step has left running, 13 until it follows a secret that a step has moved);
// `npm run bench:files -- --list` names the files.
import { expect, test } from "vitest";
import { measureExecution } from "../support/executed-files.ts";

const MOST_FILES = { server: 176, runner: 14 };

test("one submit of a known SOP and its evidence execute no more files than the budget", async () => {
  const { server, runner } = await measureExecution();
  const files = [...server.keys()].sort();
  expect(files.length).toBeGreaterThan(50);
  expect(runner.size).toBeGreaterThan(3);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST_FILES.server);
  expect(runner.size, [...runner.keys()].sort().join("\n")).toBeLessThanOrEqual(MOST_FILES.runner);
});
