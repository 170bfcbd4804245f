// A whole agent run without a process: a model that follows a list of replies, commands that end as a test says, and an examiner
// that finds what a test says.

import type { Json } from "../../src/domain/json.ts";
import type { Examination } from "../../src/domain/proof.ts";
import type { ExaminedCheck } from "../../src/engine/tasks/check-looks.ts";
import { createAgentRuns } from "../../src/features/agents/agent-run.ts";
import { createPlainBackend } from "../../src/features/agents/backends.ts";
import type { ModelReply } from "../../src/features/agents/port.ts";
import { aContract } from "./builders.ts";
import { pipelineParts } from "./pipeline-parts.ts";

type Asked = readonly [name: string, given: { readonly [key: string]: Json }];

export const GREEN: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  control: { answer: "green", exit_code: 0, reason: null, world: "empty", wrote: false },
  decoy: { answer: "green", exit_code: 0, reason: null },
};

type Options = {
  /** A call a reply; the last is repeated. */
  readonly replies: readonly [Asked, ...Asked[]];
  /** The exit code of a command; `runs` counts from 1. */
  readonly exits?: (command: string, runs: number) => number;
  readonly examination?: Examination | null;
  readonly over?: Record<string, unknown>;
};

export async function runAgent({ replies, exits = () => 0, examination = GREEN, over = {} }: Options) {
  const examined: ExaminedCheck[] = [];
  const runs = new Map<string, number>();
  const { deps, begin, journalOf } = pipelineParts({
    ends: (step) => {
      const command = "value" in step ? String(step.value) : "";
      const nth = (runs.get(command) ?? 0) + 1;
      runs.set(command, nth);
      const exit_code = exits(command, nth);
      return { exit_code, status: exit_code === 0 ? "passed" : "failed" };
    },
  });
  let turn = 0;
  const reply = async (): Promise<ModelReply> => {
    const [name, given] = replies[turn++] ?? replies.at(-1) ?? replies[0];
    const calls = [{ call_id: `call-${turn}`, name, arguments: given }];
    return { is: "reply", text: "", thinking: null, calls, latency_ms: 1 };
  };
  const agent = {
    ...deps.agent,
    model: { name: "small:1b", context: async () => CONTEXT, reply },
    protectedResources: () => ({ paths: [], addresses: [] }),
  };
  const examiner = {
    examine: async (check: ExaminedCheck) => {
      examined.push(check);
      return examination ?? GREEN;
    },
    prepare: async () => {},
    mendsOf: async () => [],
    redRun: () => {
      throw new Error("no agent records a red run");
    },
  };
  const constraints = { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 };
  const contract = await begin(aContract({ delegation_mode: "agent", constraints, ...over }));
  const runOf = createAgentRuns({ ...deps, agent, examiner: examination === null ? null : examiner });
  const run = await runOf(contract);
  await createPlainBackend().run(run);
  const { projection } = await journalOf();
  return { contract, next: run.next(), examined, projection, calls: projection.agent.calls };
}

const CONTEXT = { context_tokens: 54_096, prompt_tokens: 50_000, own_limit: null };
