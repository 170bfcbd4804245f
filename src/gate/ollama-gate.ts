// The routing gate on a local model served by Ollama [4.gate.error] [4.gate.approval]. Makes one attempt under a hard time
// limit. Any response that is not exactly one of the expected objects becomes the fallback, with the reason [7.8].
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { APPROVAL_FALLBACK, ApprovalAnswer, ERROR_FALLBACK, ErrorAnswer, type GateReply } from "../domain/gate.ts";
import { boundedOllama } from "../ollama/bounded-ollama.ts";
import { jsonIn } from "../ollama/checked-stream.ts";
import { fault, reasonOf } from "../ollama/fault.ts";
import { createLoader } from "../ollama/load-model.ts";
import { readObject } from "../ollama/read-object.ts";
import { contextOf, type ServedModel } from "../ollama/served-model.ts";
import type { Gate } from "../ports.ts";
import { type AnswerFormat, approvalFormat, ERROR_FORMAT, requested } from "./answer-format.ts";
import { NO_CATEGORIES } from "./no-model-gate.ts";
import {
  type ApprovalQuestion,
  approvalPrompt,
  categoriesFit,
  errorPrompt,
  fitsWhole,
  type Prompt,
} from "./prompts.ts";

type OllamaGate = {
  readonly model: ServedModel;
  readonly timeout_ms: number;
  /** Removes secrets from commands and output before they are cut and sent. */
  readonly redact?: (text: string) => string;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
};

type Question<A> = {
  readonly prompt: Prompt;
  readonly form: AnswerFormat;
  /** Throws a fault for an answer that cannot be used. */
  readonly read: (answer: unknown) => A;
};

export function createOllamaGate(options: OllamaGate): Gate {
  const { redact = (text) => text } = options;
  return {
    warm: createLoader(options.model),
    classifyError({ command, output }, signal) {
      const question = () => ({
        prompt: errorPrompt(redact(command), redact(output)),
        form: ERROR_FORMAT,
        read: readErrorAnswer,
      });
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
  { model, timeout_ms, now = () => performance.now() }: OllamaGate,
  question: () => Question<A>,
  fallback: A,
  signal: AbortSignal | undefined,
): Promise<GateReply<A>> {
  const begun = now();
  const ended = new AbortController();
  const latency = () => Math.round(now() - begun);
  // Covers the look at the model too.
  const bounds = [ended.signal, AbortSignal.timeout(timeout_ms), ...(signal === undefined ? [] : [signal])];
  const bound = AbortSignal.any(bounds);
  try {
    const { prompt, form, read } = question();
    bound.throwIfAborted();
    const { tokens } = await contextOf(model, bound);
    const chat = boundedOllama({
      model,
      deadline_ms: timeout_ms,
      context_tokens: tokens,
      answer_tokens: form.answer_tokens,
      think: false,
      format: requested(model.format, form),
      signal: bound,
    });
    const text = await readObject(await chat.stream([new SystemMessage(prompt.system), new HumanMessage(prompt.user)]));
    return { answer: read(jsonIn(text)), fallback: null, model: model.name, latency_ms: latency() };
  } catch (error) {
    const reason = signal?.aborted ? "aborted" : reasonOf(error);
    return { answer: fallback, fallback: reason, model: model.name, latency_ms: latency() };
  } finally {
    // What is left of a response is not read: the abort closes its connection.
    ended.abort();
  }
}

/** `unchanged`: redaction removed nothing. The model cannot clear a part of the question that it did not see. */
function approvalQuestion(asked: ApprovalQuestion, unchanged: boolean): Question<ApprovalAnswer> {
  const { command, environment, categories } = asked;
  if (!categoriesFit(categories)) throw fault("truncated", "the categories are too long to be shown whole");
  const whole = unchanged && fitsWhole(command) && fitsWhole(environment);
  return {
    prompt: approvalPrompt(asked),
    form: approvalFormat(categories),
    read: (answer) => readApprovalAnswer(answer, categories, whole),
  };
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
