// The answer to a request that stands alone: JSON or a stream of events, from servers that keep more or less of the protocol.
import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { HEAD, type Reply } from "./reply.ts";
import { parsed, rpcErrorIn } from "./rpc-error.ts";

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

/** `id` is that of the request. */
export async function readLoneAnswer(response: Response, id: number): Promise<Reply> {
  if (!response.ok) return refusal(response.status, await response.text());
  const media_type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (media_type === "text/event-stream") return readEvents(response, id);
  const text = await response.text();
  const said = parsed(text);
  if (said !== undefined) return answerIn(said, id) ?? NO_ANSWER;
  const what = media_type === "" ? "without a content type" : media_type;
  // Most often the page of whoever stands before the server; tool-server.ts knows whether that is so.
  if (media_type === "text/html")
    return { is: "foreign", message: `it answers with ${what}, which is not the protocol` };
  return { is: "lost", message: `it answers with ${what}, and that is not JSON` };
}

const NO_ANSWER: Reply = { is: "lost", message: "what it answered is no answer to the call" };

/** Codes of a server that speaks only the newer revision: it knows no other, or misses the headers of that one. */
const OF_NEWER_REVISION: ReadonlySet<number> = new Set([-32_022, -32_020]);

/** An error with our own id comes from behind the protocol, whatever the status says. */
function refusal(status: number, body: string): Reply {
  const said = rpcErrorIn(body);
  if (said !== null && OF_NEWER_REVISION.has(said.code)) return { is: "newer_revision", message: said.message };
  return said?.has_id === true
    ? { is: "rpc_error", code: said.code, message: said.message }
    : { is: "http_error", status, body: body.slice(0, HEAD) };
}

/** Ends with the answer: a server may leave its stream open. */
async function readEvents({ body }: Response, id: number): Promise<Reply> {
  if (body === null) return NO_ANSWER;
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = "message", data } of events) {
    const reply = event === "message" ? answerIn(parsed(data), id) : null;
    if (reply !== null) return reply;
  }
  return NO_ANSWER;
}

/** One message, or a batch of them. Some servers give the id back as text. */
function answerIn(said: unknown, id: number): Reply | null {
  for (const message of Array.isArray(said) ? said : [said]) {
    const { success, data } = Message.safeParse(message);
    if (!success) continue;
    if (data.error !== undefined) return { is: "rpc_error", code: data.error.code, message: data.error.message };
    if ("result" in data && String(data.id) === String(id)) return { is: "result", result: data["result"] };
  }
  return null;
}
