// The names of threads.
import { describe, expect, test } from "vitest";
import { TaskId } from "../../../src/domain/contract.ts";
import { promotionThread, subjectOfThread } from "../../../src/domain/thread-id.ts";

describe("the name of a thread", () => {
  test("is the id of its task", () => {
    expect(subjectOfThread("deploy-1")).toEqual({ kind: "task", task_id: "deploy-1" });
  });

  test("names the SOP that is promoted, and is the id of no task", () => {
    expect(promotionThread("5503fd40")).toBe("promotion/5503fd40");
    expect(subjectOfThread(promotionThread("5503fd40"))).toEqual({ kind: "promotion", sop_id: "5503fd40" });
    expect(TaskId.safeParse(promotionThread("5503fd40")).success).toBe(false);
  });
});
