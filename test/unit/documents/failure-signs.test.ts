// The table in the documentation and the prompt of the routing model have the signs of failures as the code has them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAILURE_SIGNS } from "../../../src/domain/failure-signs.ts";
import { errorPrompt } from "../../../src/gate/ollama-gate.ts";

const OUTCOME = {
  never_sent: "not sent: may run again",
  answer_lost: "perhaps done: unknown",
  answered: "this machine: may run again",
} as const;

test("docs/tool-servers.md has one row for each group, in this order", () => {
  const page = readFileSync(new URL("../../../docs/tool-servers.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("| sign of a passing failure |");
  const rows = table.split("\n").slice(2, 2 + FAILURE_SIGNS.length);
  expect(rows).toEqual(
    FAILURE_SIGNS.map(({ name, says, delivery }) => `| ${name} | ${says.join(", ")} | ${OUTCOME[delivery]} |`),
  );
});

test("the prompt has one line for each group", () => {
  const { system } = errorPrompt("a", "b");
  for (const { name, says } of FAILURE_SIGNS) expect(system).toContain(`- ${name}: ${says.join(", ")}`);
});
