// Gives a list of steps to the local backend and to the flow's script under bun, and compares what each made of it. Both
// run the same modules, so a test is for what the two runtimes may do in different ways. Tool calls are in requests.test.ts.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { FlowOutput } from "../../../src/domain/run-request.ts";
import type { Step } from "../../../src/domain/step.ts";
import { createLocalBackend } from "../../../src/execution/execution.ts";
import { startFlowJob } from "../../simulators/flow-engine/flow-job.ts";
import { aContract } from "../../support/builders.ts";
import { anObserver, aRequest } from "../../support/step-run.ts";

export type Case = {
  readonly steps: readonly Step[];
  readonly target?: Readonly<Record<string, string>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly limit_ms?: number;
  /** On this machine; in the job it is the one that is shipped. */
  readonly grace_ms?: number;
  /** Fills the working directory before each run. */
  readonly furnish?: (home: string) => Promise<void>;
};

const ACCOUNT = { user: "someone", tz: "UTC" };

export async function expectSame(given: Case): Promise<FlowOutput> {
  const root = await mkdtemp(join(tmpdir(), "orch-same-"));
  const home = join(root, "home");
  const inHome = async (run: (given: Case, home: string) => Promise<FlowOutput>) => {
    await mkdir(home);
    await given.furnish?.(home);
    try {
      return await run(given, home);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  };
  try {
    const local = await inHome(runLocally);
    expect(timeless(await inHome(runAsFlow))).toEqual(timeless(local));
    return local;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const timeless = ({ step_results, ...output }: FlowOutput) => ({
  ...output,
  step_results: step_results.map((result) => ({ ...result, started_at: "then", duration_ms: 0 })),
});

const contractOf = ({ target = {}, payload = {} }: Case, home: string) =>
  aContract({
    target: Object.fromEntries(Object.entries(target).map(([key, value]) => [key, value.replace("$HOME", home)])),
    payload,
  });

async function runLocally(given: Case, home: string): Promise<FlowOutput> {
  const { steps, limit_ms = 60_000, grace_ms = 5_000 } = given;
  const backend = createLocalBackend({
    clock: () => new Date(),
    home,
    ...ACCOUNT,
    limitMs: () => limit_ms,
    grace_ms,
  });
  const request = aRequest(steps, { task_contract: contractOf(given, home) });
  return FlowOutput.parse(await backend.run(request, anObserver().observer, new AbortController().signal));
}

async function runAsFlow(given: Case, home: string): Promise<FlowOutput> {
  const { steps, limit_ms = 60_000 } = given;
  const contract = contractOf(given, home);
  const task_contract = { ...contract, constraints: { ...contract.constraints, max_minutes: limit_ms / 60_000 } };
  const context = { target: contract.target, payload: contract.payload, mcp_servers: {} };
  const env = { HOME: home, USER: ACCOUNT.user, TZ: ACCOUNT.tz };
  const job = await startFlowJob({ task_contract, steps, context }, env);
  const ended = await job.ended;
  if (ended?.success !== true) throw new Error(`the job failed: ${JSON.stringify(ended)}\n${job.log()}`);
  return FlowOutput.parse(ended.result);
}
