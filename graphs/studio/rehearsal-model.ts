// An agent model without a model: it calls one command and a check for each success criterion, and finishes with them. It shows
// the path of an agent task through the ReAct graph.
import { z } from "zod";
import type { WrittenCall } from "../../src/agent/agent-message.ts";
import type { AgentModel } from "../../src/agent/port.ts";

const Task = z.object({
  task_contract: z.object({ success_criteria: z.array(z.object({ number: z.int(), criterion: z.string() })) }),
});

export const createRehearsalModel = (): AgentModel => ({
  name: "rehearsal",
  context: async () => ({ context_tokens: 1024 * 1024, prompt_tokens: 1024 * 1024, own_limit: null }),
  reply: async ({ messages, tools }) => {
    const task = Task.parse(JSON.parse(messages.find(({ role }) => role === "user")?.text ?? "{}"));
    const criteria = task.task_contract.success_criteria;
    const hasActed = messages.some(({ role }) => role === "assistant") || !tools.some(({ name }) => name === "shell");
    const isRefused = messages.some(
      ({ role, text }) => role === "tool" && /"(refused|rejected_by_a_human)":/.test(text),
    );
    const calls = isRefused
      ? [GIVES_UP]
      : hasActed
        ? [finish(criteria)]
        : [shell("echo rehearsed"), ...criteria.map(check)];
    return { is: "reply", text: "", thinking: null, calls, latency_ms: 0 };
  },
});

type Criterion = z.infer<typeof Task>["task_contract"]["success_criteria"][number];

const commandFor = ({ number }: Criterion): string => `test ${number} -gt 0`;

const shell = (command: string): WrittenCall => ({ name: "shell", arguments: { command } });
const check = (criterion: Criterion): WrittenCall => ({
  name: "shell",
  arguments: { command: commandFor(criterion), check: true },
});

const GIVES_UP: WrittenCall = { name: "finish", arguments: { summary: "rehearsed, and refused", done: false } };

const finish = (criteria: readonly Criterion[]): WrittenCall => ({
  name: "finish",
  arguments: {
    summary: "rehearsed, not done",
    criteria: criteria.map((one) => ({ criterion: one.number, evidence_check: commandFor(one) })),
  },
});
