// Names the records of an agent's run for the OpenAPI document. Agents have no operation of their own.

import type { NamedSchemas } from "../../api/operations/operation.ts";
import { AgentCall, AgentFinished, AgentReplied, AgentStopped } from "../../domain/agent-events.ts";

export const AGENT_SCHEMAS = {
  AgentCall: [AgentCall, "One call that an agent asked for: the judgement on it and its result."],
  AgentTurn: [AgentReplied, "One reply of the agent's model."],
  AgentFinished: [AgentFinished, "How an agent finished its task."],
  AgentStopped: [AgentStopped, "Why an agent was stopped."],
} satisfies NamedSchemas;
