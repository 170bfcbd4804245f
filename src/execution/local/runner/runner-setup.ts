// Decides what the process that runs commands hides from the steps of this configuration.
import { type ConfinementInput, orchFiles } from "../confinement/agent-confinement.ts";
import type { Sandbox } from "../containment/choose-sandbox.ts";
import type { StepLimits } from "../step-limits.ts";
import type { RunnerSetup } from "./runner-process.ts";

type SetupInput = Pick<ConfinementInput, "data_dir" | "database_url" | "secret_paths"> & {
  readonly approver_token: string | null;
  readonly accept_readable_tokens: "on" | "off";
  readonly step_limits: StepLimits;
  readonly agent: { readonly spaces_mb: number | null };
};

export function runnerSetupOf(config: SetupInput, sandbox: Sandbox, running_dir: string | null): RunnerSetup {
  return {
    sandboxed: sandbox.sandboxed,
    hidden: sandbox.visible === null ? orchFiles(config) : [],
    // A step that only has to name sudo to read the approver token could approve.
    hides_always: config.approver_token !== null && config.accept_readable_tokens === "off",
    limits: config.step_limits,
    running_dir,
    ...(config.agent.spaces_mb !== null && { agent_spaces_bytes: config.agent.spaces_mb * 2 ** 20 }),
  };
}
