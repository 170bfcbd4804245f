// The log of a job read part by part: whole lines are published, each once, and the flow's own lines are kept as steps.
import { describe, expect, test } from "vitest";
import { createRedactor, type Redact } from "../../../../redact/find-secrets.ts";
import type { EngineApi } from "../../../flow-engine/engine-api.ts";
import { createJobLog } from "../../../flow-engine/follow-job.ts";

type Update = Awaited<ReturnType<EngineApi["log"]>>;

const part = (new_logs: string | null | undefined, log_offset?: number | null): Update => ({
  is: "ok",
  text: "",
  value: { new_logs, log_offset },
});

/** A log that arrives in these parts and then ends. */
function logOf(parts: readonly Update[], redact: Redact = createRedactor([])) {
  const asked: [string, number][] = [];
  const published: string[][] = [];
  const left = [...parts];
  const api: Pick<EngineApi, "log"> = {
    log: async (job_id, offset) => {
      asked.push([job_id, offset]);
      return left.shift() ?? part(null);
    },
  };
  const log = createJobLog({ api, redact, publish: async (lines) => void published.push([...lines]) });
  const readAll = async () => {
    for (let nth = 0; nth < parts.length; nth += 1) await log.read("module");
    return published.flat();
  };
  return { log, asked, published, readAll };
}

describe("lines", () => {
  test("are published as they come, without blank ones", async () => {
    const { published, readAll } = logOf([part("one\n\n  \ntwo\r\n"), part("three\n")]);
    await readAll();
    expect(published).toEqual([["one", "two"], ["three"]]);
  });

  test("that are split between two reads are published when they are complete", async () => {
    const { log, published } = logOf([part("orch: step 0 c"), part("md star"), part("ted\r"), part("\nnext\n")]);
    for (let nth = 0; nth < 3; nth += 1) await log.read("module");
    expect(published).toEqual([]);
    expect(log.steps()).toEqual([]);
    await log.read("module");
    expect(published).toEqual([["orch: step 0 cmd started", "next"]]);
    expect(log.steps()).toEqual([{ index: 0, kind: "cmd", end: null }]);
  });

  test("from the flow are kept as steps too, and malformed ones are only text", async () => {
    const lines = ["orch: step 0 cmd started", "orch: step 0 cmd passed exit_code=0 duration_ms=7", "orch: step 1 ls"];
    const { log, readAll } = logOf([part(`${lines.join("\n")}\n`)]);
    expect(await readAll()).toEqual(lines);
    expect(log.steps().map(({ end }) => end?.status ?? null)).toEqual([null, "passed"]);
  });

  test("are without NUL and without half characters", async () => {
    const { readAll } = logOf([part(`a\0b\ud800c\n${"x".repeat(399)}😀\n`)]);
    const [odd, cut] = await readAll();
    expect(odd).toBe("ab\ufffdc");
    expect(cut).toBe(`${"x".repeat(399)}\ufffd`);
  });
});

describe("the engine is asked", () => {
  test("with the offset that it gave, even if it decreases", async () => {
    const { asked, readAll } = logOf([part("größe\n", 7), part("x\n", 3), part("y\n", 0), part("z\n", 12)]);
    await readAll();
    expect(asked.map(([, offset]) => offset)).toEqual([0, 7, 3, 0]);
  });

  test("with the length of the text so far when it gave no offset", async () => {
    const { asked, readAll } = logOf([part("one\n"), part("two\n", null), part(undefined), part("x\n")]);
    await readAll();
    expect(asked.map(([, offset]) => offset)).toEqual([0, 4, 8, 8]);
  });

  test("only after the module has a job", async () => {
    const { log, asked } = logOf([part("one\n")]);
    await log.read(null);
    expect(asked).toEqual([]);
    await log.read("m-1");
    expect(asked).toEqual([["m-1", 0]]);
  });

  test("again, from the same offset, after a failed read", async () => {
    const lost: Update = { is: "lost", message: "" };
    const refused: Update = { is: "refused", status: 500, message: "", retry_after_ms: 0 };
    const { asked, published, readAll } = logOf([part("one\ntw", 6), lost, refused, part("o\n", 8)]);
    await readAll();
    expect(asked.map(([, offset]) => offset)).toEqual([0, 6, 6, 6]);
    expect(published).toEqual([["one"], ["two"]]);
  });
});

describe("a very long log", () => {
  test("is published up to 4,000 lines, followed by one note about the rest", async () => {
    const many = "line\n".repeat(1_500);
    const { published, readAll } = logOf([part(many), part(many), part(many), part(many)]);
    const lines = await readAll();
    expect(lines).toHaveLength(4_001);
    expect(lines.at(-1)).toBe("the rest of its log is in the flow engine");
    expect(published).toHaveLength(3);
  });

  test("still yields the steps after that limit", async () => {
    const { log, readAll } = logOf([part("line\n".repeat(4_001)), part("orch: step 3 wait started\n")]);
    await readAll();
    expect(log.steps()).toEqual([{ index: 3, kind: "wait", end: null }]);
  });

  test("is published as its first characters when it is one line", async () => {
    const parts = Array.from({ length: 50 }, (_, nth) => part(String(nth % 10).repeat(100_000)));
    const { readAll } = logOf([...parts, part("\nshort\n")]);
    expect(await readAll()).toEqual(["0".repeat(400), "short"]);
  });

  test("keeps at most 4,000 steps when every line is a step", async () => {
    const { log, readAll } = logOf([part("orch: step 0 cmd started\n".repeat(200_000))]);
    expect(await readAll()).toHaveLength(4_001);
    expect(log.steps()).toHaveLength(4_000);
  });
});

describe("a secret in the log", () => {
  const redact = createRedactor(["hunter2-hunter2"]);

  test("is not published", async () => {
    const { readAll } = logOf([part("with hunter2-hun"), part("ter2 in it\n")], redact);
    expect(await readAll()).toEqual(["with [redacted] in it"]);
  });

  test.each([389, 395, 399])("is not published in part at position %i, where a line is cut", async (place) => {
    const { readAll } = logOf([part(`${"x".repeat(place)}hunter2-hunt`), part("er2\n")], redact);
    expect((await readAll())[0]).toBe(`${"x".repeat(place)}[redacted]`);
  });
});
