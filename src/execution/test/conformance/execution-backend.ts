// What every execution backend must do: its steps, its looks at checks, checks that are polled, and reconcile commands.
// A backend runs this suite in a few lines. Its commands must run on this machine: their effects are looked for here.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aContract, check, cmd, mcpCall, wait } from "../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../test/support/step-run.ts";
import { type SdkServer, startSdkServer } from "../../../../test/support/tool-server.ts";
import type { RunRequest } from "../../../domain/run-request.ts";
import { FlowOutput } from "../../../domain/run-request.ts";
import type { ExecutionBackend, StepObserver } from "../../../ports.ts";
import { looksSuite } from "./execution-backend-looks.ts";
import { pollingSuite } from "./execution-backend-polling.ts";
import { reconcileSuite } from "./execution-backend-reconcile.ts";

export type Given = {
  /** The tool servers that steps may call, by identifier. */
  readonly tool_servers: ReadonlyMap<string, { readonly url: string; readonly token: string | null }>;
};

const SCOPE = { implicit_scope: ["notes", "gitserver"], require_approval_for: [], max_minutes: 1 };
const SCOPED = aContract({ constraints: SCOPE });

type Backend = ExecutionBackend & { readonly close?: () => Promise<void> };

type Suite = {
  readonly create: (given: Given) => Backend | Promise<Backend>;
  /** Whether the steps leave as one job, which cannot ask before each of them. */
  readonly as_one_job?: boolean;
};

export function executionBackendSuite(name: string, { create, as_one_job = false }: Suite): void {
  const createAlone = () => create({ tool_servers: new Map() });
  describe(`execution backend: ${name}`, () => {
    looksSuite(createAlone);
    pollingSuite(createAlone);
    reconcileSuite(createAlone);

    let directory: string;
    let backend: Backend;
    let notes: SdkServer;

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), "orch-backend-"));
      notes = await startSdkServer();
      backend = await create({ tool_servers: new Map([["notes", { url: notes.url, token: "a-token" }]]) });
    });
    afterEach(async () => {
      await backend.close?.();
      await notes[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    });

    const trace = () => readFile(join(directory, "trace"), "utf8").catch(() => "");
    const mark = (word: string) => `echo ${word} >> '${directory}/trace'`;
    const run = async (request: RunRequest, { observer } = anObserver(), signal = new AbortController().signal) =>
      FlowOutput.parse(await backend.run(request, observer, signal));

    test("runs the steps in their order and reports each [2.flow_output.step_results] [2.flow_output.ok]", async () => {
      const output = await run(aRequest([cmd(mark("one")), check(mark("two")), wait("1ms"), cmd(mark("three"))]));
      expect(output.ok).toBe(true);
      expect(await trace()).toBe("one\ntwo\nthree\n");
      expect(output.step_results.map(({ index, kind, status }) => `${index} ${kind} ${status}`)).toEqual([
        "0 cmd passed",
        "1 check passed",
        "2 wait passed",
        "3 cmd passed",
      ]);
    });

    test("stops at the first step that fails", async () => {
      const output = await run(aRequest([cmd(mark("one")), cmd("exit 3"), cmd(mark("three"))]));
      expect(output.ok).toBe(false);
      expect(await trace()).toBe("one\n");
      expect(output.step_results.map(({ status, exit_code }) => [status, exit_code])).toEqual([
        ["passed", 0],
        ["failed", 3],
      ]);
      expect(output.summary).toContain("step 1");
    });

    test("stops at a check that fails, and its exit code is the answer [2.kind.check] [2.kind.check_pass]", async () => {
      const output = await run(aRequest([check("false; exit 7"), cmd(mark("after"))]));
      expect(output.step_results).toMatchObject([{ kind: "check", status: "failed", exit_code: 7 }]);
      expect(await trace()).toBe("");
    });

    test("ends a cmd at the first command that fails, and at a variable that is not set", async () => {
      expect(await run(aRequest([cmd(`false; ${mark("after")}`)]))).toMatchObject({ ok: false });
      const unset = `rm -f "$ORCH_NO_SUCH_VARIABLE/x"; ${mark("after")}`;
      expect(await run(aRequest([cmd(unset)]))).toMatchObject({ ok: false });
      expect(await trace()).toBe("");
    });

    test("fails a pipeline of which any part fails", async () => {
      expect(await run(aRequest([cmd("false | true")]))).toMatchObject({ ok: false });
      expect(await run(aRequest([check("false | true")]))).toMatchObject({ ok: false });
    });

    test("keeps what a step wrote, with the number of bytes", async () => {
      const output = await run(aRequest([cmd("echo größe; echo oh >&2")]));
      expect(output.step_results).toMatchObject([
        { stdout: "größe\n", stderr: "oh\n", stdout_bytes: 8, stderr_bytes: 3, truncated: false, timed_out: false },
      ]);
    });

    test("hands over the target, the payload and the task as environment variables", async () => {
      const task_contract = aContract({ target: { service: "web" }, payload: { b: 1, a: ["x"] } });
      const script = 'echo "$ORCH_TASK_ID $ORCH_TARGET_SERVICE $ORCH_PAYLOAD"';
      const output = await run(aRequest([cmd(script)], { task_contract }));
      expect(output.step_results[0]?.stdout).toBe('t-1 web {"a":["x"],"b":1}\n');
    });

    test("gives the commands that ran and what they said last as evidence [2.flow_output.executed_commands] [2.flow_output.key_outputs]", async () => {
      const output = await run(
        aRequest([cmd("echo one; echo two"), wait("1ms"), check("echo bad >&2; exit 1"), cmd("true")]),
      );
      expect(output.evidence).toEqual({
        executed_commands: ["echo one; echo two", "echo bad >&2; exit 1"],
        key_outputs: ["two", "bad"],
      });
    });

    test("calls a tool, with its parameters resolved and the server's token, and keeps the answer", async () => {
      const task_contract = { ...SCOPED, payload: { list: [1, "two"] } };
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter looks like this
      const step = mcpCall({ tool: "set", arguments: { value: "${payload.list}" } });
      const output = await run(aRequest([step, cmd(mark("after"))], { task_contract }));
      expect(output.step_results).toMatchObject([{ kind: "mcp_call", status: "passed", exit_code: 0, stderr: "" }, {}]);
      expect(JSON.parse(output.step_results[0]?.stdout ?? "")).toEqual({ content: [{ type: "text", text: "set" }] });
      expect(notes.called).toEqual([{ tool: "set", args: { value: [1, "two"] } }]);
      expect(notes.calls()[0]?.headers.authorization).toBe("Bearer a-token");
      expect(output.evidence.executed_commands[0]).toMatch(/^notes\.set \{/);
    });

    test.each([
      ["the tool reports an error", "notes", "fail", "it went wrong"],
      ["the tool's error is content like any other", "notes", "soft", "Note not found"],
      ["the server is not known", "gitserver", "x", "gitserver"],
    ])("stops at a call that fails: %s", async (_what, server, tool, stderr) => {
      const steps = [mcpCall({ server, tool }), cmd(mark("after"))];
      const output = await run(aRequest(steps, { task_contract: SCOPED }));
      expect(output.step_results).toMatchObject([{ kind: "mcp_call", status: "failed", exit_code: 1, stdout: "" }]);
      expect(output.step_results[0]?.stderr).toContain(stderr);
      expect(await trace()).toBe("");
    });

    test("ends a call when it is aborted", async () => {
      const controller = new AbortController();
      void expect
        .poll(() => notes.calls().length, { timeout: 10_000 })
        .toBe(1)
        .then(() => controller.abort());
      const request = aRequest([mcpCall({ tool: "hold" })], { task_contract: SCOPED });
      const output = await run(request, anObserver(), controller.signal);
      // Of a job that says nothing of the call, the outcome is decided when its end is recorded.
      const status = as_one_job ? "failed" : "outcome_unknown";
      expect(output.step_results).toMatchObject([{ kind: "mcp_call", status, exit_code: null }]);
    });

    test("asks before the effect of a step and reports after it", async () => {
      const seen: string[] = [];
      const { observer } = anObserver();
      const witness: StepObserver = {
        ...observer,
        started: async (index, attempt) => {
          seen.push(`before ${index}: ${await trace()}`);
          return observer.started(index, attempt);
        },
        finished: ({ index }) => {
          seen.push(`after ${index}`);
        },
      };
      await run(aRequest([cmd(mark("one")), cmd(mark("two"))]), { lines: seen, observer: witness });
      const second = as_one_job ? [] : ["before 1: one\n"];
      expect(seen).toEqual(["before 0: ", "after 0", ...second, "after 1"]);
    });

    test("does not start a step that the observer refuses", async () => {
      const refused = as_one_job ? 0 : 1;
      const log = anObserver((index) => index < refused);
      const output = await run(aRequest([cmd(mark("one")), cmd(mark("two")), cmd(mark("three"))]), log);
      expect(output.ok).toBe(false);
      expect(output.summary).toContain(`before step ${refused}`);
      expect(output.step_results).toHaveLength(refused);
      expect(await trace()).toBe("one\n".repeat(refused));
      expect(log.lines).toEqual(as_one_job ? ["started 0/1"] : ["started 0/1", "finished 0/1 passed", "started 1/1"]);
    });

    test("rejects when the observer does, and runs nothing more", async () => {
      const lost = anObserver(() => Promise.reject(new Error("fenced")));
      await expect(run(aRequest([cmd(mark("one"))]), lost)).rejects.toThrow("fenced");
      expect(await trace()).toBe("");
    });

    test("counts steps from first_index, and the attempt belongs to the first of them only", async () => {
      const log = anObserver();
      const output = await run(aRequest([cmd("true"), cmd("true")], { first_index: 4, attempt: 2 }), log);
      expect(output.step_results.map(({ index, attempt }) => [index, attempt])).toEqual([
        [4, 2],
        [5, 1],
      ]);
      const [second, end] = as_one_job ? [[], ["ended passed"]] : [["started 5/1"], []];
      expect(log.lines).toEqual(["started 4/2", "finished 4/2 passed", ...second, "finished 5/1 passed", ...end]);
    });

    test("ends the running step when it is aborted, and starts no other", async () => {
      const controller = new AbortController();
      const log = anObserver();
      void expect
        .poll(trace, { timeout: 10_000 })
        .toBe("one\n")
        .then(() => setTimeout(() => controller.abort(), 100));
      const steps = [cmd(mark("one")), cmd(`sleep 60; ${mark("late")}`), cmd(mark("three"))];
      const output = await run(aRequest(steps), log, controller.signal);
      expect(output.ok).toBe(false);
      expect(output.step_results.at(-1)).toMatchObject({
        index: 1,
        status: "failed",
        exit_code: null,
        timed_out: false,
      });
      expect(await trace()).toBe("one\n");
      expect(log.lines.findLast((line) => line.startsWith("finished"))).toBe("finished 1/1 failed");
    });

    test("ends a wait when it is aborted", async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const output = await run(aRequest([wait("1h")]), anObserver(), controller.signal);
      expect(output.step_results).toMatchObject([{ kind: "wait", status: "failed", exit_code: null }]);
    });

    test("starts nothing when it was aborted before", async () => {
      const output = await run(aRequest([cmd(mark("one"))]), anObserver(), AbortSignal.abort());
      expect(output).toMatchObject({ ok: false, step_results: [] });
      expect(await trace()).toBe("");
    });
  });
}
