// Defines what the journal records of the run of an agent, and what is said of it.
import {
  AgentCallJudged,
  AgentEquipped,
  AgentFinished,
  AgentReplied,
  AgentStopped,
} from "../../domain/agent-events.ts";
import { event } from "../../domain/event.ts";
import { counted, firstLine, printableJson, printableLines, span } from "../../domain/printable.ts";
import { commandText } from "../../domain/step-run.ts";

const MAX_ARGUMENTS = 300;

const VERDICTS = { allow: "may run", ask: "needs an approval", refuse: "refused", fault: "is no call" } as const;

export const AGENT_EVENTS = {
  agent_equipped: event({
    body: AgentEquipped,
    text: ({ agent_backend, model, tools, missing }) => ({
      about: "agent",
      text: `${agent_backend} on ${model}, ${counted(tools.length, "tool")}: ${tools.join(", ")}`,
      more: missing,
    }),
    trace: ({ model }) => ({ model }),
  }),
  agent_replied: event({
    is_progress: true,
    body: AgentReplied,
    text: ({ turn, text, calls, quoted, fault, latency_ms }) => ({
      about: `turn ${turn}`,
      text: fault === null ? `${counted(calls.length, "call")}, ${span(latency_ms)}` : `no usable reply: ${fault}`,
      state: fault === null ? "" : "failed",
      more: [
        ...(text.trim() === "" ? [] : printableLines(text.trim()).map((line) => `| ${line}`)),
        ...(quoted === undefined ? [] : [`${counted(quoted, "call")} in this text not made: quoted, or an example`]),
        ...calls.map(
          (call) =>
            `call ${call.index}  ${call.name} ${printableJson(call.arguments).slice(0, MAX_ARGUMENTS)}${call.added === true ? "  (for finish)" : ""}`,
        ),
      ],
    }),
    trace: ({ turn, calls, prompt, fault, latency_ms }) => ({
      steps: calls.map(({ index, name, call_id }) => ({ index, tool: name, call_id })),
      chat: {
        label: `turn ${turn} of the agent`,
        attributes: {
          turn,
          calls: calls.length,
          input_tokens: prompt?.tokens,
          error_type: fault === null ? null : "no_reply",
        },
        latency_ms,
        failed: fault !== null,
      },
    }),
  }),
  agent_call_judged: event({
    is_progress: true,
    body: AgentCallJudged,
    steps: ({ index, step }, known) => Object.assign([...known], { [index]: step }),
    text: ({ index, verdict, reason, step, findings }) => {
      const command = step === null ? "" : commandText(step);
      const why = reason === null ? (command === "" ? "" : `  ${firstLine(command)}`) : `: ${reason}`;
      return {
        about: `call ${index}`,
        text: `${VERDICTS[verdict]}${why}`,
        state: verdict === "refuse" ? "blocked" : "",
        more: verdict === "ask" ? findings.map((finding) => `${finding.code}  ${finding.reason}`) : [],
      };
    },
  }),
  agent_finished: event({
    is_progress: true,
    body: AgentFinished,
    text: ({ summary, criteria }) => ({
      about: "finish",
      text: summary,
      more: criteria.map(({ criterion, evidence_check }) => `${criterion}  to be proved by  ${evidence_check}`),
    }),
  }),
  agent_stopped: event({
    is_progress: true,
    body: AgentStopped,
    text: ({ reason_code, message }) => ({
      about: "agent stopped",
      text: `${reason_code}: ${message}`,
      state: "failed",
    }),
  }),
};
