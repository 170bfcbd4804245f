// Converts a model's reply into the event that is recorded: bounded, without secrets, with calls numbered over the whole run and
// `finish` last. Adds the checks that finish names and that prove nothing yet, so that orch runs them (D-135).
import { z } from "zod";
import { type AgentCall, type AgentReplied, type Finish, FinishCall } from "../../domain/agent-events.ts";
import { shortened } from "../../domain/data-document.ts";
import { JsonValue, redactedJson } from "../../domain/json.ts";
import type { WrittenCall } from "./agent-message.ts";
import { type AgentCatalogue, FINISH, SHELL } from "./catalogue.ts";
import { checksToRun, commandsNamed } from "./finish.ts";
import type { ModelReply } from "./port.ts";
import { MAX_CALLS } from "./stop-conditions.ts";

const HALF_TEXT = 16_384;

const MAX_ARGUMENTS = 65_536;

const MAX_NAME = 128;

type Situation = {
  readonly turn: number;
  readonly calls: readonly AgentCall[];
  readonly catalogue: AgentCatalogue;
  readonly redact: (text: string) => string;
  /** The tokens of the question, as orch estimates them. */
  readonly estimated: number;
};

export function recordedReply(
  reply: ModelReply,
  { turn, calls, catalogue, redact, estimated }: Situation,
): AgentReplied {
  const { latency_ms } = reply;
  if (reply.is === "fault") return { turn, text: "", thinking: null, calls: [], fault: reply.fault, latency_ms };
  const ends = reply.calls.filter(({ name }) => name === FINISH);
  const others = reply.calls.filter(({ name }) => name !== FINISH);
  // An end is read also where too much is asked for before it.
  const first = others.slice(0, MAX_CALLS - Math.min(ends.length, 1));
  const ordered = [...first, ...ends].slice(0, MAX_CALLS).map((call) => bounded(call, redact));
  const left_out = reply.calls.length - ordered.length;
  const all = catalogue.entries.has(SHELL) ? withChecks(ordered, calls) : ordered;
  const numbered = all.map((call, position) => {
    const index = calls.length + position;
    return { index, call_id: `call-${index}`, ...call };
  });
  const quoted = reply.quoted === undefined ? {} : { quoted: reply.quoted };
  const thinking = reply.thinking === null ? null : shortened(redact(reply.thinking), HALF_TEXT);
  const text = shortened(redact(reply.text), HALF_TEXT);
  return {
    turn,
    text,
    thinking,
    calls: numbered,
    ...(left_out > 0 && { left_out }),
    ...quoted,
    ...(reply.prompt_tokens !== undefined && { prompt: { estimated, tokens: reply.prompt_tokens } }),
    fault: null,
    latency_ms,
  };
}

function bounded({ name: written_name, arguments: given }: WrittenCall, redact: Situation["redact"]): WrittenCall {
  const name = redact(written_name.slice(0, MAX_NAME)).toWellFormed();
  const written = JSON.stringify(given);
  const isSound = written.length <= MAX_ARGUMENTS && JsonValue.safeParse(given).success;
  // As text it is no call, and the fault says so to the model.
  return { name, arguments: isSound ? redactedJson(redact, given) : redact(written.slice(0, HALF_TEXT)) };
}

type Added = WrittenCall & { readonly added?: true };

function withChecks(asked: readonly Added[], calls: readonly AgentCall[]): Added[] {
  const place = asked.findIndex(({ name }) => name === FINISH);
  const finish = FinishCall.safeParse(asked[place]?.arguments);
  if (place === -1 || !finish.success) return [...asked];
  const before = asked.slice(0, place);
  const added = missing(before, calls, finish.data).map(
    (command): Added => ({ name: SHELL, arguments: { command, check: true }, added: true }),
  );
  return [...before, ...added, ...asked.slice(place)];
}

/** After other calls, every check that finish names counts as missing, except those at the end of these calls. */
function missing(before: readonly Added[], calls: readonly AgentCall[], finish: Finish): string[] {
  if (before.length === 0) return checksToRun(calls, finish);
  const named = commandsNamed(calls, finish);
  const others = before.findLastIndex((call) => !named.includes(checkIn(call) ?? ""));
  const last = before.slice(others + 1).map(checkIn);
  return named.filter((command) => !last.includes(command));
}

const Check = z.looseObject({ command: z.string(), check: z.literal(true) });

/** The command of a call that asks for a check. */
const checkIn = ({ name, arguments: given }: Added): string | undefined =>
  name === SHELL ? Check.safeParse(given).data?.command : undefined;
