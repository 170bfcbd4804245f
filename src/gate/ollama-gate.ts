// The routing gate on a local model served by Ollama [4.gate.error] [4.gate.approval]. Makes one attempt under a hard time
// limit. Any response that is not exactly one of the expected objects becomes the fallback, with the reason [7.8].
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { APPROVAL_FALLBACK, ApprovalAnswer, ERROR_FALLBACK, ErrorAnswer, type GateReply } from "../domain/gate.ts";
import { boundedOllama } from "../ollama/bounded-ollama.ts";
import { jsonIn } from "../ollama/checked-stream.ts";
import { fault, reasonOf } from "../ollama/fault.ts";
import type { Gate } from "../ports.ts";
import { NO_CATEGORIES } from "./no-model-gate.ts";
import {
  type ApprovalQuestion,
  approvalPrompt,
  categoriesFit,
  errorPrompt,
  fitsWhole,
  type Prompt,
} from "./prompts.ts";

/** Holds the longest prompt at one to two bytes a token. Ollama silently drops the part of a prompt that exceeds it. */
const CONTEXT_TOKENS = 8192;
const ANSWER_TOKENS = 256;

type OllamaGate = {
  readonly model: string;
  readonly base_url: string;
  readonly timeout_ms: number;
  /** Removes secrets from commands and output before they are cut and sent. */
  readonly redact?: (text: string) => string;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
};

type Question<A> = {
  readonly prompt: Prompt;
  /** Throws a fault for an answer that cannot be used. */
  readonly read: (answer: unknown) => A;
};

export function createOllamaGate(options: OllamaGate): Gate {
  const { redact = (text) => text } = options;
  return {
    classifyError({ command, output }, signal) {
      const question = () => ({ prompt: errorPrompt(redact(command), redact(output)), read: readErrorAnswer });
      return ask(options, question, ERROR_FALLBACK, signal);
    },
    async matchCategory({ command, environment = {}, categories }, signal) {
      if (categories.length === 0) return NO_CATEGORIES;
      const question = () => {
        const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
        const asked = { command, environment: variables.join("\n"), categories };
        const shown = { ...asked, command: redact(asked.command), environment: redact(asked.environment) };
        return approvalQuestion(shown, shown.command === asked.command && shown.environment === asked.environment);
      };
      return ask(options, question, APPROVAL_FALLBACK, signal);
    },
  };
}

async function ask<A>(
  { model, base_url, timeout_ms, now = () => performance.now() }: OllamaGate,
  question: () => Question<A>,
  fallback: A,
  signal: AbortSignal | undefined,
): Promise<GateReply<A>> {
  const begun = now();
  const ended = new AbortController();
  const latency = () => Math.round(now() - begun);
  try {
    const { prompt, read } = question();
    const chat = boundedOllama({
      model,
      base_url,
      deadline_ms: timeout_ms,
      context_tokens: CONTEXT_TOKENS,
      answer_tokens: ANSWER_TOKENS,
      think: false,
      format: "json",
      signal: signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]),
    });
    const { text } = await chat.invoke([new SystemMessage(prompt.system), new HumanMessage(prompt.user)]);
    return { answer: read(jsonIn(text)), fallback: null, model, latency_ms: latency() };
  } catch (error) {
    const reason = signal?.aborted ? "aborted" : reasonOf(error);
    return { answer: fallback, fallback: reason, model, latency_ms: latency() };
  } finally {
    // The library may leave a response half read: the abort closes its connection.
    ended.abort();
  }
}

/** `unchanged`: redaction removed nothing. The model cannot clear a part of the question that it did not see. */
function approvalQuestion(asked: ApprovalQuestion, unchanged: boolean): Question<ApprovalAnswer> {
  const { command, environment, categories } = asked;
  if (!categoriesFit(categories)) throw fault("truncated", "the categories are too long to be shown whole");
  const whole = unchanged && fitsWhole(command) && fitsWhole(environment);
  return { prompt: approvalPrompt(asked), read: (answer) => readApprovalAnswer(answer, categories, whole) };
}

function readErrorAnswer(answer: unknown): ErrorAnswer {
  const parsed = ErrorAnswer.safeParse(answer);
  if (!parsed.success) throw fault("wrong_shape");
  return parsed.data;
}

function readApprovalAnswer(answer: unknown, categories: readonly string[], whole: boolean): ApprovalAnswer {
  const parsed = ApprovalAnswer.safeParse(answer);
  if (!parsed.success) throw fault("wrong_shape");
  if (!parsed.data.requires_approval && !whole) throw fault("truncated", "the command was not shown whole");
  if (parsed.data.requires_approval && !categories.includes(parsed.data.matched_category)) {
    throw fault("unknown_category");
  }
  return parsed.data;
}
