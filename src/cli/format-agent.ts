// The events of an agent's run as text, for `orch task --follow`.
import type { EventBody } from "../domain/journal.ts";
import { counted } from "../domain/outcome.ts";
import { firstLine, printableJson, printableLines } from "../domain/printable.ts";
import { commandText } from "../domain/step-run.ts";
import type { EventText } from "./event-text.ts";
import { span } from "./text-format.ts";

export const agentEquipped = ({ agent_backend, model, tools, missing }: EventBody<"agent_equipped">): EventText => ({
  about: "agent",
  text: `${agent_backend} on ${model}, ${counted(tools.length, "tool")}: ${tools.join(", ")}`,
  more: missing,
});

const MAX_ARGUMENTS = 300;

export const agentReplied = ({
  turn,
  text,
  calls,
  quoted,
  fault,
  latency_ms,
}: EventBody<"agent_replied">): EventText => ({
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
});

export function agentCallJudged({ index, verdict, reason, step, findings }: EventBody<"agent_call_judged">): EventText {
  const command = step === null ? "" : commandText(step);
  const texts = { allow: "may run", ask: "needs an approval", refuse: "refused", fault: "is no call" };
  return {
    about: `call ${index}`,
    text: `${texts[verdict]}${reason === null ? (command === "" ? "" : `  ${firstLine(command)}`) : `: ${reason}`}`,
    state: verdict === "refuse" ? "blocked" : "",
    more: verdict === "ask" ? findings.map(({ code, reason: text }) => `${code}  ${text}`) : [],
  };
}

export const agentFinished = ({ summary, criteria }: EventBody<"agent_finished">): EventText => ({
  about: "finish",
  text: summary,
  more: criteria.map(({ criterion, evidence_check }) => `${criterion}  to be proved by  ${evidence_check}`),
});

export const agentStopped = ({ reason_code, message }: EventBody<"agent_stopped">): EventText => ({
  about: "agent stopped",
  text: `${reason_code}: ${message}`,
  state: "failed",
});
