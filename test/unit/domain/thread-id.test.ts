// The names of threads.
import { describe, expect, test } from "vitest";
import { TaskId } from "../../../src/domain/contract.ts";
import { newTaskId, promotionThread, subjectOfThread } from "../../../src/domain/thread-id.ts";

describe("the name of a thread", () => {
  test("is the id of its task", () => {
    expect(subjectOfThread("deploy-1")).toEqual({ kind: "task", task_id: "deploy-1" });
  });

  test("names the SOP that is promoted, and is the id of no task", () => {
    expect(promotionThread("5503fd40")).toBe("promotion/5503fd40");
    expect(subjectOfThread(promotionThread("5503fd40"))).toEqual({ kind: "promotion", sop_id: "5503fd40" });
    expect(TaskId.safeParse(promotionThread("5503fd40")).success).toBe(false);
  });

  test("is another one for each promotion of a version", () => {
    expect(promotionThread("5503fd40", 1)).toBe("promotion/5503fd40");
    expect(promotionThread("5503fd40", 2)).toBe("promotion/5503fd40/2");
    expect(subjectOfThread(promotionThread("5503fd40", 12))).toEqual({ kind: "promotion", sop_id: "5503fd40" });
  });
});

test("a new id of a task is made of its intent and the time", () => {
  const at = new Date("2026-03-06T09:05:07.123Z");
  expect(newTaskId("health_check", at, "0a1b")).toBe("health_check-20260306-090507-0a1b");
  expect(TaskId.safeParse(newTaskId("x".repeat(200), at, "0a1b")).success).toBe(true);
});
