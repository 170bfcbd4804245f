// Every numbered rule and table row of the specification's parts 1 to 5, 7 and 8 that belongs to the orchestrator.
// A test cites the ids it proves in its title, like [3.rule.1]; [2.intent.*] cites a whole table.
// `deferred` names the later issue that builds the rule. Part 8's operational targets are prose and not listed.

/** The subjects of the issues that rules may be deferred to. */
export const LATER_ISSUES = {
  agent: "Agent mode: two interchangeable backends under one policy",
} as const;

export type Requirement = { readonly id: string; readonly text: string; readonly deferred?: string };

const { agent } = LATER_ISSUES;

const part1: readonly Requirement[] = [
  { id: "1.A.1", text: "submitting a contract approves every operation inside its implicit_scope" },
  { id: "1.A.2", text: "a task is a state machine in code; the model is asked at fixed points, never for root causes" },
  { id: "1.A.3", text: "an SOP is found by intent and target, its steps run and are verified, evidence is recorded" },
  { id: "1.A.4", text: "the orchestrator escalates to the supervisor only, who answers with a decision" },
  { id: "1.A.5.contract", text: "the contract is validated: required fields and types" },
  { id: "1.A.5.policy", text: "policy covers implicit_scope, require_approval_for and the always-blocked commands" },
  { id: "1.A.5.lookup", text: "the SOP is looked up by intent and target" },
  { id: "1.A.5.approval", text: "the task waits for an approval through the supervisor" },
  { id: "1.A.5.backend_choice", text: "the backend is selected from the task's metadata" },
  { id: "1.A.5.execution", text: "the steps of the SOP are executed" },
  { id: "1.A.5.verification", text: "success is verified, not assumed" },
  { id: "1.A.5.evidence", text: "evidence is recorded persistently" },
  { id: "1.A.5.gate", text: "the routing gate is part of the orchestrator" },
  { id: "1.A.5.agent_lifecycle", text: "the life of an agent task is managed", deferred: agent },
  { id: "1.A.5.agent_backend", text: "agent tasks run on an agent backend", deferred: agent },
  { id: "1.A.6.local", text: "SOP steps run on a local backend" },
  { id: "1.A.6.flow_engine", text: "SOP steps run on a flow-engine backend, switchable" },
  { id: "1.A.6.agents", text: "two interchangeable agent backends: plain and ReAct graph", deferred: agent },
  { id: "1.A.6.helpers", text: "agent-loop helpers outlive a swap of the agent backend", deferred: agent },
  { id: "1.A.7", text: "skill handlers add stateful flows that SOPs cannot express" },
  { id: "1.A.8.data", text: "what to do grows through the SOP store, without code" },
  { id: "1.A.8.tool_server", text: "a tool server is added by environment variables only" },
];

const part2: readonly Requirement[] = [
  { id: "2.contract.task_id", text: "string: identifies the task" },
  { id: "2.contract.intent", text: "string: an intent of the vocabulary, or one that a skill handles" },
  { id: "2.contract.target", text: "object of string attributes" },
  { id: "2.contract.delegation_mode", text: "teach_if_unknown, known_only or agent" },
  { id: "2.contract.constraints", text: "object: implicit_scope, require_approval_for, max_minutes" },
  { id: "2.contract.success_criteria", text: "array of strings for the supervisor, not evaluated by code" },
  { id: "2.contract.requested_by", text: "string: the requester" },
  { id: "2.contract.requested_at", text: "ISO 8601 timestamp" },
  { id: "2.contract.payload", text: "object: intent-specific arguments" },
  { id: "2.constraints.implicit_scope", text: "array of server and scope names" },
  { id: "2.constraints.require_approval_for", text: "array of category strings, may be empty" },
  { id: "2.constraints.max_minutes", text: "integer" },

  { id: "2.intent.bootstrap_context", text: "collects project information and context" },
  { id: "2.intent.collect_logs", text: "collects logs and state information" },
  { id: "2.intent.triage", text: "first-level isolation of a failure" },
  { id: "2.intent.deploy", text: "deploys a service" },
  { id: "2.intent.restart", text: "restarts a service" },
  { id: "2.intent.health_check", text: "checks health and status" },
  { id: "2.intent.commit_push", text: "git commit and push" },
  { id: "2.intent.record_to_notes", text: "records work in the notes application" },
  { id: "2.intent.update_sop", text: "modifies or replaces an SOP" },
  { id: "2.intent.reorganize_notes_tree", text: "moves notes in the notes tree; left to a skill handler" },
  { id: "2.triage.diagnostic", text: "a triage SOP holds diagnostic steps only" },
  {
    id: "2.triage.decision",
    text: "root cause and remedy are the supervisor's; the model only tells known from unknown",
  },

  { id: "2.target.service", text: "target service name" },
  { id: "2.target.repo", text: "target repository" },
  { id: "2.target.environment", text: "for example prod or staging" },
  { id: "2.target.compose_dir", text: "working directory of the container composition" },
  { id: "2.target.branch", text: "git branch" },
  { id: "2.target.health_url", text: "health check URL" },

  { id: "2.key.format", text: "the key is <intent>|<normalized target signature>" },
  { id: "2.key.signature", text: "the signature is key=value pairs in alphabetical order, joined by ;" },
  { id: "2.key.exact", text: "keys match exactly; no partial or fuzzy match" },

  { id: "2.sop.sop_id", text: "UUID" },
  { id: "2.sop.intent", text: "the intent it serves" },
  { id: "2.sop.target_signature", text: "the signature it serves" },
  { id: "2.sop.status", text: "candidate, active or deprecated" },
  { id: "2.sop.version", text: "integer that increments with each revision" },
  { id: "2.sop.steps", text: "ordered array of steps" },
  { id: "2.sop.safety_level", text: "string; approval_required makes every run ask" },
  { id: "2.sop.preconditions", text: "array of strings" },
  { id: "2.sop.last_success_at", text: "ISO 8601 timestamp of the last success" },
  { id: "2.sop.success_count", text: "counts successes" },
  { id: "2.sop.failure_count", text: "counts failures" },

  { id: "2.step.kind", text: "cmd, check, wait or mcp_call" },
  { id: "2.step.value", text: "command for cmd and check, duration such as 30s for wait, empty for mcp_call" },
  { id: "2.step.server", text: "mcp_call only: tool-server identifier" },
  { id: "2.step.tool", text: "mcp_call only: tool name" },
  { id: "2.step.arguments", text: "mcp_call only: tool arguments; params is accepted as an alias" },
  { id: "2.kind.cmd", text: "runs a shell command in a subprocess" },
  { id: "2.kind.check", text: "runs a verification command in a subprocess; exit code 0 is a pass" },
  { id: "2.kind.wait", text: "pauses for the duration in value" },
  { id: "2.kind.mcp_call", text: "calls a tool of a tool server over HTTP" },

  { id: "2.flow.path", text: "one generic flow, by default f/orch/execute_task_steps" },
  { id: "2.flow_input.task_contract", text: "the task contract" },
  { id: "2.flow_input.steps", text: "array of steps" },
  { id: "2.flow_input.context", text: "target, payload and mcp_servers by id" },
  { id: "2.flow_output.ok", text: "boolean; every backend answers in this shape" },
  { id: "2.flow_output.summary", text: "string" },
  { id: "2.flow_output.step_results", text: "array of step results" },
  { id: "2.flow_output.evidence", text: "executed_commands and key_outputs, both arrays" },

  {
    id: "2.skill.handler",
    text: "capabilities/<skill>/ has a handler with HANDLED_INTENTS and handle",
  },
  { id: "2.skill.tools", text: "its optional tools module holds tools for agent mode", deferred: agent },
];

const part3: readonly Requirement[] = [
  { id: "3.sop.candidate", text: "success without an active SOP records a candidate and asks for approval" },
  { id: "3.sop.promote", text: "approve makes the candidate the active SOP, the one used from then on" },
  { id: "3.sop.deprecate", text: "update_sop deprecates the active SOP and requests promotion of a new candidate" },
  { id: "3.update.1", text: "the supervisor submits a contract with intent update_sop" },
  { id: "3.update.2", text: "the current SOP becomes deprecated" },
  { id: "3.update.3", text: "a candidate is created from the new steps" },
  { id: "3.update.4", text: "the supervisor is asked to approve the promotion" },
  { id: "3.update.5", text: "the supervisor approves with decision approve" },
  { id: "3.update.6", text: "the candidate becomes active" },
  { id: "3.status.labels", text: "messages use the labels NEED_APPROVAL, BLOCKED and DONE" },
  { id: "3.rule.1", text: "no SOP and teach_if_unknown: need_input, decided in code" },
  { id: "3.rule.2", text: "no SOP and known_only: blocked, decided in code" },
  { id: "3.rule.3", text: "all checks pass: ok; any check fails: failed, with evidence" },
  { id: "3.rule.4", text: "rejection or a failing phase of a skill's plan: blocked or failed" },
  { id: "3.rule.5", text: "an operation outside implicit_scope is blocked and escalated" },
  { id: "3.rule.6", text: "a flow that returns ok: false is a failed task" },
  { id: "3.rule.7", text: "an unknown failure, or a transient one after one retry, is escalated" },
];

const part4: readonly Requirement[] = [
  { id: "4.results", text: "contracts go in; need_input, need_approval, blocked, failed and ok come out" },
  { id: "4.teach", text: "teach registers an SOP and refuses one without a check for each success criterion" },
  { id: "4.approve", text: "approve takes a decision: approve or reject" },
  { id: "4.names", text: "the names orch__teach and orch__approve are accepted" },

  { id: "4.model.request", text: "POST {model_url}/api/chat with model, system and user message, format json" },
  { id: "4.model.response", text: "the model's response must be a JSON object of the expected shape" },
  { id: "4.gate.sop_not_found", text: "an unknown SOP is decided in code, without a model call" },
  { id: "4.gate.error", text: "an error is transient or unknown" },
  { id: "4.gate.error_fallback", text: "a time-out of the error question means unknown" },
  { id: "4.gate.approval", text: "a command falls into a category of require_approval_for, or does not" },
  { id: "4.gate.approval_fallback", text: "a time-out of the approval question means requires_approval: true" },
  { id: "4.gate.error_prompt", text: "it holds the command and the head and tail of the error output" },
  { id: "4.gate.approval_prompt", text: "it holds the command and the category list" },
  { id: "4.gate.json_only", text: "both prompts ask for JSON only" },
  { id: "4.gate.patterns", text: "known transient patterns are embedded in the prompt template" },
  { id: "4.gate.bounds", text: "the model decides no SOP content, no root cause and nothing in the verifier" },

  { id: "4.mcp.request", text: "HTTP POST, JSON-RPC 2.0, tools/call with name and arguments" },
  { id: "4.mcp.environment", text: "URL and token are MCP_{NAME}_URL and MCP_{NAME}_TOKEN" },
  { id: "4.mcp.flow_context", text: "in the flow they arrive in context.mcp_servers" },
  { id: "4.mcp.success", text: "exit_code 0, stdout is the response as JSON" },
  { id: "4.mcp.tool_error", text: "exit_code 1, stderr is the error message" },
  { id: "4.mcp.connection_error", text: "exit_code 1, stderr is the connection error" },
  { id: "4.mcp.judged", text: "success is judged by exit_code, not by the check verifier" },
  { id: "4.mcp.not_shell", text: "mcp_call is not subject to the always-blocked command list" },
  { id: "4.mcp.scope", text: "an mcp_call whose server is not in implicit_scope is BLOCKED" },

  { id: "4.flow.invoke", text: "the flow backend invokes the generic flow with that input" },

  { id: "4.notes.dispatch", text: "the notes handler dispatches on payload.operation" },
  { id: "4.notes.contract", text: "known_only, and implicit_scope includes notes" },
  { id: "4.notes.fetch_note_tree", text: "reads the tree in one recursive tool call" },
  { id: "4.notes.resolve_target_note", text: "finds a destination by path or title" },
  { id: "4.notes.apply_note_change", text: "replaces or appends content" },
  { id: "4.notes.verify_tree_placement", text: "one node is under the expected parent" },
  { id: "4.notes.verify_note_tree", text: "many nodes are, listing the children once" },
  { id: "4.notes.plan_note_moves", text: "plans moves by title without executing" },
  { id: "4.notes.apply_note_moves", text: "executes a plan; not dry: approval first" },
  { id: "4.notes.execute_move_plan", text: "plans, tries dry, asks, applies, verifies" },
  { id: "4.notes.failure", text: "rejection or failure at any stage: blocked or failed" },
  { id: "4.skill.approval", text: "handlers import request and wait from the core" },
  { id: "4.skill.scan", text: "at start every intent of a handler is routed to it" },
  { id: "4.skill.ignorance", text: "the orchestrator holds no knowledge of any skill" },
];

const part5: readonly Requirement[] = [
  { id: "5.1", text: "each tool server has a URL and a bearer-style token" },
  { id: "5.3", text: "the supervisor authenticates as this project decides: with a bearer token" },
  { id: "5.4", text: "authorization is by contract: scope, approval categories and the always-blocked list" },
  { id: "5.policy.read", text: "a read inside implicit_scope runs automatically" },
  { id: "5.policy.write", text: "a write inside implicit_scope runs unless require_approval_for lists it" },
  { id: "5.policy.approval", text: "what require_approval_for lists is approved through the supervisor first" },
  { id: "5.policy.out_of_scope", text: "what is outside implicit_scope is blocked, then escalated" },
  { id: "5.policy.destructive", text: "a destructive operation is always blocked" },
  { id: "5.blocked.rm", text: "wide-range deletion of the rm -rf / family" },
  { id: "5.blocked.git_reset", text: "git reset --hard" },
  { id: "5.blocked.docker_prune", text: "docker system prune -a without conditions" },
  { id: "5.approval.flow", text: "need_approval goes to the supervisor, whose approve call brings the decision" },
];

const part7: readonly Requirement[] = [
  { id: "7.1", text: "a transient failure is retried once; then, or when unknown, it is escalated with evidence" },
  { id: "7.2", text: "an mcp_call error is exit_code 1 with the message in stderr" },
  { id: "7.3", text: "an out-of-scope tool-server step is BLOCKED, always-blocked commands are blocked" },
  { id: "7.4", text: "failed verification: failed, with evidence" },
  { id: "7.5", text: "a flow that returns ok: false: failed" },
  { id: "7.6", text: "unknown SOP: need_input for teach_if_unknown, blocked for known_only" },
  { id: "7.7", text: "rejection or failure of a skill's plan: blocked or failed" },
  { id: "7.8", text: "a model time-out falls back: error unknown, approval required" },
  { id: "7.10.wrong", text: "a wrong definition is rewritten with update_sop" },
  { id: "7.10.ambiguous", text: "an ambiguous definition is rewritten with clearer steps" },
  { id: "7.10.temporary", text: "a temporary problem is retried once and leaves the SOP as it is" },
  { id: "7.10.outdated", text: "an outdated SOP is escalated; update_sop creates a new one" },
];

const part8: readonly Requirement[] = [
  { id: "8.max_minutes", text: "it bounds one step, never the whole task" },
  { id: "8.max_minutes.tool_call", text: "it bounds each tool-server call" },
  { id: "8.max_minutes.phases", text: "a plan of many phases may take longer" },
  { id: "8.max_minutes_default", text: "a contract without max_minutes gets the default this project decides" },
  { id: "8.retry", text: "a transient failure is retried once" },
  { id: "8.depth", text: "fetch_note_tree reads 5 levels by default" },
  { id: "8.matching", text: "SOPs match exactly" },
  { id: "8.routing_timeout", text: "a routing model call ends within the limit this project decides" },
  { id: "8.rate_limits", text: "the interfaces have the rate limits this project decides" },
  { id: "8.verification", text: "DONE alone is no proof: the supervisor's external verification is recorded" },
];

export const REQUIREMENTS: readonly Requirement[] = [
  ...part1,
  ...part2,
  ...part3,
  ...part4,
  ...part5,
  ...part7,
  ...part8,
];
