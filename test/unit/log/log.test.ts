import { expect, test } from "vitest";
import { OrchError } from "../../../src/domain/errors.ts";
import { createLog } from "../../../src/log/log.ts";
import { createRedactor } from "../../../src/redact/find-secrets.ts";

const SECRET = "the-secret-value-0123";

function logged(write: (log: ReturnType<typeof createLog>) => void, level = "info") {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLog({ level, redact: createRedactor([SECRET]), destination }));
  return lines;
}

test("a secret is redacted in the message, in every level of the details, and in errors with their causes", () => {
  const cause = new Error(`inner ${SECRET}`, { cause: { deep: [SECRET] } });
  const err = new OrchError("fenced", `outer ${SECRET}`, { cause, current: { held: SECRET } });
  const [line = ""] = logged((log) => log.error({ a: SECRET, b: { c: [{ d: SECRET }] }, err }, `message ${SECRET}`));
  expect(line).not.toContain(SECRET);
  expect(JSON.parse(line)).toMatchObject({
    msg: "message [redacted]",
    b: { c: [{ d: "[redacted]" }] },
    err: {
      code: "fenced",
      message: "outer [redacted]",
      stack: expect.any(String),
      cause: { message: "inner [redacted]" },
    },
  });
});

test("a log entry is one line of JSON for any content", () => {
  const hostile = 'a\n{"level":60}\u001b[31m password=x"\\';
  const lines = logged((log) => log.info({ hostile }, hostile));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd().split("\n")).toHaveLength(1);
  expect(lines[0]).not.toContain("\u001b");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 30, msg: expect.stringContaining("password=[redacted]") });
});

test("long text, deep nesting and cycles are bounded", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const [line = ""] = logged((log) => log.info({ text: "x".repeat(1_000_000), cycle, big: 1n }, "bounded"));
  expect(line.length).toBeLessThan(20_000);
  expect(JSON.parse(line)).toMatchObject({ msg: "bounded", big: "1" });
});

test("no part of a secret is visible at a cut or in a key", () => {
  for (const before of [8_192 - SECRET.length, 8_180, 8_191]) {
    const text = "x".repeat(before) + SECRET + "y".repeat(100);
    const [line = ""] = logged((log) => log.info({ text, [SECRET]: 1 }, text));
    expect(line).toMatch(/x\[redacted\]y{0}"/);
    expect(line).not.toMatch(/the-s|0123/);
  }
});

test("an entry below the level is not written", () => {
  const lines = logged((log) => {
    log.debug({}, "no");
    log.info({}, "no");
    log.warn({}, "yes");
  }, "warn");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["yes"]);
});
