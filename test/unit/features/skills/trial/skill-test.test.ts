// What a test.ts may say.
import { describe, expect, test } from "vitest";
import { TestModule, withDirectory, withoutDirectory } from "../../../../../src/features/skills/trial/skill-test.ts";

const TEST = { open: () => ({}), task: { intent: "rotate" }, code: "rotated", changes: [], asks: true };

describe("the directory of a world", () => {
  test("takes its place in every text of a task", () => {
    const given = {
      payload: { from: "{{directory}}/a", to: ["{{directory}}"], keep: 2 },
      target: { compose_dir: "{{directory}}" },
    };
    expect(withDirectory(given, { directory: '/tmp/a "b"' })).toEqual({
      payload: { from: '/tmp/a "b"/a', to: ['/tmp/a "b"'], keep: 2 },
      target: { compose_dir: '/tmp/a "b"' },
    });
  });

  test("is left out of what a task gives", () => {
    const found = { moved: ['/tmp/a "b"/a'], count: 1, none: null };
    expect(withoutDirectory(found, { directory: '/tmp/a "b"' })).toEqual({ ...found, moved: ["{{directory}}/a"] });
  });
});

describe("a test.ts", () => {
  test("may have a payload in which a field is missing, and none with what is no JSON", () => {
    const withWrong = (to: unknown) =>
      TestModule.safeParse({ TEST: { ...TEST, wrong: [{ field: "payload.to", payload: { to } }] } });
    expect(withWrong(undefined).success).toBe(true);
    expect(withWrong(() => 1).error?.issues).toMatchObject([
      { path: ["TEST", "wrong", 0, "payload", "to"], message: "must be a JSON value" },
    ]);
  });

  test("may set the limit of its tasks", () => {
    expect(TestModule.safeParse({ TEST: { ...TEST, limit_seconds: 300 } }).success).toBe(true);
    expect(TestModule.safeParse({ TEST: { ...TEST, limit_seconds: 0 } }).success).toBe(false);
  });
});
