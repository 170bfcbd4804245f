// The surroundings under which no login is begun.
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../cookie/refusal.ts";

function refusedWith(path: string): string | undefined {
  const descriptor = openSync(path, "r+");
  try {
    return refusalOf({}, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

describe("a login is refused", () => {
  test.each([
    [{ NODE_DEBUG: "http" }, /^NODE_DEBUG is set: .*secrets/],
    [
      { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      /^NODE_TLS_REJECT_UNAUTHORIZED is 0: the identity of the provider would not be checked/,
    ],
  ])("under %j", (env, why) => {
    expect(refusalOf(env)).toMatch(why);
  });

  test("when its cookie would be lost in the null device", () => {
    expect(refusedWith(devNull)).toMatch(/^Standard output is closed or leads nowhere/);
  });

  test("only for these reasons", () => {
    const env = { NODE_DEBUG: "", NODE_TLS_REJECT_UNAUTHORIZED: "1", PATH: "/bin" };
    const descriptor = openSync(import.meta.filename, "r");
    expect(refusalOf(env, descriptor)).toBeUndefined();
    closeSync(descriptor);
    expect(refusedWith("/dev/zero")).toBeUndefined();
  });
});
