import { describe, expect, test } from "vitest";
import { answerOf, sentenceOf, type WorldEnd } from "../../../../local/control/control.ts";

const ended = (exit_code: number | null, over: object = {}): WorldEnd => ({
  kind: "ended",
  exit_code,
  wrote: false,
  absent: [],
  missing: null,
  ...over,
});

describe("the answer of a world", () => {
  test.each([
    [0, "green"],
    [1, "red"],
    [124, "red"],
    [125, "red"],
    [126, "cannot_tell"],
    [127, "cannot_tell"],
    [128, "red"],
    [129, "cannot_tell"],
    [192, "cannot_tell"],
    [193, "red"],
    [255, "red"],
    [null, "red"],
  ] as const)("is, for the exit code %s of the empty world, %s", (code, answer) => {
    expect(answerOf(ended(code), "empty")).toBe(answer);
  });

  test("is red in the bare world for each exit code but 0", () => {
    for (const code of [1, 126, 127, 137, null]) expect(answerOf(ended(code), "bare")).toBe("red");
    expect(answerOf(ended(0, { missing: ["ls"] }), "bare")).toBe("green");
  });

  test("is unknown where the shell did not find a program, even after exit code 0", () => {
    const end = ended(0, { missing: ["docker"], absent: ["docker", "jq"] });
    expect(answerOf(end, "empty")).toBe("cannot_tell");
    expect(sentenceOf(end, "cannot_tell", 5_000)).toBe("not found in the empty world: docker, jq");
    expect(sentenceOf(ended(0, { missing: [] }), "cannot_tell", 5_000)).toContain("a program was not found");
  });

  test("is unknown where a program is absent and the check failed, and green where it passed", () => {
    expect(answerOf(ended(1, { absent: ["nc"] }), "empty")).toBe("cannot_tell");
    expect(answerOf(ended(0, { absent: ["nc"] }), "empty")).toBe("green");
  });

  test("is that it is not possible where no world was made, and unknown where one was not seen to its end", () => {
    expect(answerOf({ kind: "fault", reason: "x" }, "empty")).toBe("not_possible");
    for (const kind of ["stopped", "lost"] as const) {
      expect(answerOf({ kind }, "empty")).toBe("cannot_tell");
      expect(sentenceOf({ kind }, "cannot_tell", 5_000)).not.toBeNull();
    }
  });
});
