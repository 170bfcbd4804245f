// Why the model's answer was not used, as an error that passes through the client library unchanged (spec section 7, 8).
import { z } from "zod";

const FaultCode = z.enum([
  "http_status",
  "model_error",
  "not_json",
  "wrong_shape",
  "unknown_category",
  "truncated",
  "no_tools",
  "bad_call",
]);
type FaultCode = z.infer<typeof FaultCode>;

const Word = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,40}$/);
const SystemError = z.object({ code: Word });

/** `detail` is our own words or numbers, never text of the server, the model or a command. */
export const fault = (code: FaultCode, detail?: string | number): Error =>
  new Error(detail === undefined ? code : `${code}: ${detail}`, { cause: code });

/** What Ollama is known to say in its errors, and what it means; null for anything else. Its words go no further. */
export function knownFault(words: string): Error | null {
  if (words.includes("does not support tools")) return fault("no_tools");
  if (/context length|available context/.test(words)) return fault("truncated", "the question exceeds the context");
  if (/tool call|failed to parse/i.test(words)) return fault("bad_call", "a tool call could not be parsed");
  return null;
}

/**
 * A stable code, perhaps a colon and a detail: `timeout`, `unreachable: ECONNREFUSED`, `http_status: 503`.
 * Messages of foreign errors are left out, since they may quote an address with its password or what the server sent.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unreachable";
  if (error.name === "TimeoutError") return "timeout";
  if (FaultCode.safeParse(error.cause).success) return error.message;
  const detail = SystemError.safeParse(error).data?.code ?? Word.safeParse(error.name).data;
  return detail === undefined ? "unreachable" : `unreachable: ${detail}`;
}
