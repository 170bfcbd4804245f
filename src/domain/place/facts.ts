// What is on record of a task that decides its way through the pipeline.
import type { AgentBackendName } from "../agent-events.ts";
import type { TaskContract } from "../contract.ts";
import type { NodeAnswers } from "./walk.ts";

export type WayFacts = {
  -readonly [K in keyof NodeAnswers]: NodeAnswers[K];
} & {
  contract: TaskContract | null;
  agent_backend: AgentBackendName | null;
  has_procedure: boolean;
  is_of_skill: boolean;
  /** A server has claimed it since it paused the last time. */
  runs: boolean;
  /** How it goes on from its claim, until something is on record that shows it. */
  goes_on: "at_first_node" | "with_answer" | null;
  /** The step that was started since the last claim and has no end. */
  in_flight: number | null;
  /** When it was asked to end, if that was the last event. */
  cancelled_at: string | null;
};

export const noFacts = (): WayFacts => ({
  permission: "allow",
  names_categories: false,
  decision: null,
  execution: "completed",
  contract: null,
  agent_backend: null,
  has_procedure: false,
  is_of_skill: false,
  runs: false,
  goes_on: null,
  in_flight: null,
  cancelled_at: null,
});

export const pathOf = ({ contract, is_of_skill }: WayFacts): "procedure" | "replacement" | "skill" | "agent" => {
  if (contract?.intent === "update_sop") return "replacement";
  if (contract?.delegation_mode === "agent") return "agent";
  return is_of_skill ? "skill" : "procedure";
};
