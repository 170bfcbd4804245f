import { expect, test } from "vitest";
import { createLog } from "../../../voice/log.ts";

test("a secret is masked everywhere, also when JSON escapes it", () => {
  const lines: string[] = [];
  const { log, keepSecret } = createLog("info", (line) => void lines.push(line));
  keepSecret('tok"==secret');
  keepSecret("Atza|secret");
  log.error({ err: new Error('broken by tok"==secret'), from: "Atza|secret" }, "not Atza|secret");
  expect(lines.join("")).not.toContain("secret=");
  expect(lines.join("")).not.toMatch(/==secret|Atza/);
  expect(lines.join("").match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(3);
});

test("a secret shorter than six characters is not masked", () => {
  const lines: string[] = [];
  const { log, keepSecret } = createLog("info", (line) => void lines.push(line));
  keepSecret("ja_JP");
  log.info({}, "ja_JP");
  expect(lines.join("")).toContain('"msg":"ja_JP"');
});
