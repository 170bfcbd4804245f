// The events of a skill's run as text, for `orch task --follow`.
import type { EventBody } from "../domain/journal.ts";
import type { EventText } from "./event-text.ts";
import { printableLines } from "./printable.ts";
import { span } from "./text-format.ts";

export const skillStepStarted = ({ name, attempt }: EventBody<"skill_step_started">): EventText => ({
  about: "skill step",
  text: `${name}${attempt === 1 ? "" : `, attempt ${attempt}`} ...`,
});

export const skillStepFinished = ({ ok, duration_ms, message }: EventBody<"skill_step_finished">): EventText => ({
  about: "skill step",
  text: `${ok ? "passed" : "failed"}, ${span(duration_ms)}`,
  state: ok ? "passed" : "failed",
  more: message === null ? [] : printableLines(message).map((line) => `| ${line}`),
});

export const skillProgressed = ({ done, total, text }: EventBody<"skill_progressed">): EventText => ({
  about: "progress",
  text: `${done} of ${total}  ${text}`,
});

export const skillEnded = ({ status, code }: EventBody<"skill_ended">): EventText => ({
  about: "skill ended",
  text: `${status}: ${code}`,
  state: status,
});
