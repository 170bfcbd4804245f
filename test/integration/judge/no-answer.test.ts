// A thread that ends whenever it judges: what is not judged is not allowed.
import { expect, test } from "vitest";
import { createJudges } from "../../../src/judge/thread-judge.ts";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";

const LOST = "the thread that judges has ended";
const ENDING = { hang_ms: 1, patience_ms: 60_000, max_waiting: 100 };

test("without an answer of the judge nothing runs, is taught or is explained", async () => {
  const judges = createJudges({ protected_paths: [] }, ENDING);
  await using engine = await openEngine({ judges });
  const steps = [cmd("echo x >> ran"), check("test -d /")];
  await engine.plant("deploy", engine.targetOf("web"), steps);
  const contract = engine.contract("web", { success_criteria: [], delegation_mode: "known_only" });
  await expect(engine.call("explain", { contract })).rejects.toThrow(LOST);
  await expect(engine.call("teach", { intent: "restart", target: {}, steps })).rejects.toThrow(LOST);
  const task = await engine.call("submit_task", { ...contract, wait_seconds: 3 });
  const kinds = (await engine.store.readJournal("web")).map(({ kind }) => kind);
  expect(task.status).toBe("running");
  expect(kinds).not.toContain("step_started");
  expect(engine.linesOf("ran")).toEqual([]);
  await judges.close();
});
