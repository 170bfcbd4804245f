// Responses that are longer than MCP clients accept, and invisible characters in them.
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type AnyOperation, READ } from "../../../src/api/operations/operation.ts";
import { type RunningMcp, startMcp } from "../../support/mcp-endpoint.ts";
import { operation } from "../../support/some-operations.ts";

const LONG = 5 * 1024 * 1024;

const telling = (name: string, path: `/${string}`, read_only: boolean, times = 1): AnyOperation =>
  operation({
    name,
    path,
    summary: "Tells a text.",
    method: "POST",
    scope: "read",
    hints: { ...READ, read_only },
    input: z.looseObject({}),
    output: z.strictObject({ text: z.string() }),
    handle: async ({ length }) => ({ text: length === 0 ? "a\u202eb" : "x".repeat(times * LONG) }),
  });

let endpoint: RunningMcp;
afterEach(() => endpoint.stop());

async function connected() {
  const operations = [
    telling("get_task", "/v1/a", true),
    telling("teach", "/v1/b", false),
    telling("get_evidence", "/v1/c", true, 2),
  ];
  endpoint = await startMcp({ operations });
  return endpoint.connect();
}

const CUT = /^x+\[\d+ characters are left out\]x+$/;

test("a reading tool cuts its response, and says how to get all of it", async () => {
  await using supervisor = await connected();
  const { text, cut } = await supervisor.call("get_task");
  expect(text).toMatch(CUT);
  expect(cut).toEqual([expect.stringMatching(`^text: \\d+ of ${LONG} characters$`), 'all of it: view "full"']);
  expect(text.length).toBeGreaterThan(6_000);
});

test("a reading tool that is asked for all fails with answer_too_long where clients could not read the response", async () => {
  await using supervisor = await connected();
  expect(await supervisor.fault("get_task", { view: "full" })).toMatchObject({
    code: "answer_too_long",
    detail: expect.stringContaining("This answer has 11 MiB"),
    fix: expect.stringContaining("read_journal"),
  });
  const told = { onprogress: () => undefined };
  expect((await supervisor.ask("get_task", { wait_seconds: 1, view: "full" }, told)).isError).toBe(true);
});

test("a changing tool always returns its result, cut where it is long", async () => {
  await using supervisor = await connected();
  const { text, cut } = await supervisor.call("teach", { view: "full" });
  expect(text).toMatch(CUT);
  expect(cut.at(-1)).toContain("get_task");
});

test("a resource contains its text once, and is refused when that is too long", async () => {
  await using supervisor = await connected();
  await expect(supervisor.read("orch://evidence/x?view=full")).rejects.toMatchObject({
    code: -32000,
    data: { code: "answer_too_long" },
  });
  expect((await supervisor.read("orch://tasks/x?view=full")).text).toHaveLength(LONG);
  expect(await supervisor.read("orch://evidence/x")).toMatchObject({
    cut: [{}, "all of it: orch://evidence/x?view=full"],
  });
});
