// What a backend is given when it is called directly: a request, and an observer that records its calls.
import type { RunRequest } from "../../src/domain/run-request.ts";
import type { Step } from "../../src/domain/step.ts";
import type { StepObserver } from "../../src/ports.ts";
import { aContract } from "./builders.ts";

export type Log = { readonly lines: string[]; readonly observer: StepObserver };

/** Records its calls; `allow` answers whether a step may start. */
export function anObserver(allow: (index: number) => boolean | Promise<boolean> = () => true): Log {
  const lines: string[] = [];
  const observer: StepObserver = {
    started: async (index, attempt) => {
      lines.push(`started ${index}/${attempt}`);
      return allow(index);
    },
    looked: (looks) => {
      for (const { step_index, answer } of looks) lines.push(`looked ${step_index} ${answer}`);
    },
    finished: ({ index, attempt, status }) => {
      lines.push(`finished ${index}/${attempt} ${status}`);
    },
    accepted: async () => {},
    progressed: async () => {},
    ended: ({ code }) => {
      lines.push(`ended ${code}`);
    },
  };
  return { lines, observer };
}

export const aRequest = (steps: readonly Step[], over: Partial<RunRequest> = {}): RunRequest => {
  const task_contract = over.task_contract ?? aContract();
  return { task_contract, steps, first_index: 0, attempt: 1, ...over };
};
