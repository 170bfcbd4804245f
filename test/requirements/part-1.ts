// Part 1 of the specification, what the orchestrator does. The sentences on the voice server are in voice.ts.
// The clauses of 1.A.3 are 1.A.5.lookup, execution, verification and evidence; the last clause of 1.A.2 is 4.gate.root_cause.
import { claims } from "./requirement.ts";

export const PART_1 = claims({
  "1.A.1": "Submitting a contract approves every operation inside its implicit_scope.",
  "1.A.1.accept": "The orchestrator accepts a task contract that has every field of the specification.",
  "1.A.2.state_machine": "A task runs as a state machine in code.",
  "1.A.2.model_points": "The model is consulted at the fixed points only.",
  "1.A.4": "The orchestrator escalates to the supervisor, by messages that the supervisor reads.",
  "1.A.5.contract": "A contract with a field of a wrong type is refused, and the field is named.",
  "1.A.5.contract_fields": "A contract without a required field is refused, and the field is named.",
  "1.A.5.policy": "Policy is evaluated when a task runs, wherever its steps come from.",
  "1.A.5.lookup": "The SOP is resolved by the intent and the normalized target.",
  "1.A.5.approval": "A task that needs an approval runs nothing until the supervisor has decided.",
  "1.A.5.backend_choice": "The execution backend is selected from the task's metadata.",
  "1.A.5.execution": "The steps of the SOP are executed.",
  "1.A.5.verification": "A task is ok because its check steps passed, and not because its steps did.",
  "1.A.5.evidence": "Evidence is recorded persistently: another process reads it after the server has ended.",
  "1.A.5.gate": "The routing gate decides on commands of a task before they run.",
  "1.A.5.agent_lifecycle": "The life of an agent task is on record from its contract to its end.",
  "1.A.5.agent_backend": "A task with delegation_mode agent runs on an agent backend.",
  "1.A.6.local": "SOP steps run on a local backend.",
  "1.A.6.flow_engine": "SOP steps run on a flow-engine backend.",
  "1.A.6.switchable": "A setting switches between the two execution backends.",
  "1.A.6.agents": "A plain and a ReAct agent backend are interchangeable.",
  "1.A.6.react": "The ReAct backend delegates tool calls and loop control to its graph.",
  "1.A.6.helpers": "The helpers of the agent's loop serve another backend without a change.",
  "1.A.7": "A skill handler runs a stateful flow that an SOP cannot express.",
  "1.A.7.every_mode": "An intent of a skill goes to its handler or is blocked, under every delegation_mode.",
  "1.A.8.data": "What orch can do grows through the SOP store, without code.",
  "1.A.8.tool_server": "A tool server is added by environment variables only.",
});
