// Sandboxes of commands, and what a process for commands is set up with.
import type { RunnerSetup } from "../../src/execution/local/runner/runner-process.ts";
import { NO_LIMITS, PLAIN_STEP, type Sandbox, type StepLimits } from "../../src/execution/sandbox/sandbox.ts";

/** Of a step in a pid namespace. */
export const IN_PIDS: Sandbox = { ...PLAIN_STEP, processes: "pid_namespace" };

/** Of an agent's command, with everything left open that can be left open. */
export const anAgentSandbox = (over: Partial<Sandbox> = {}): Sandbox => ({
  ...IN_PIDS,
  writable: [],
  own: "home",
  ...over,
});

type Setup = {
  readonly sandboxed?: boolean;
  readonly hidden?: readonly string[];
  readonly limits?: StepLimits;
  readonly running_dir?: string | null;
};

export const aRunnerSetup = ({ sandboxed = false, hidden = [], limits = NO_LIMITS, running_dir = null }: Setup = {}) =>
  ({ plain: { ...(sandboxed ? IN_PIDS : PLAIN_STEP), hidden, limits }, running_dir }) satisfies RunnerSetup;
