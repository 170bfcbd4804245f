// GET /v1/events: the messages to the supervisor as server-sent events (D-203). They come from the operation list_messages:
// the same records, the same limit of waits.
import { type AnyOperation, callOperation } from "../operations/operation.ts";
import { listMessages, messageStream } from "../operations/shapes/journal.ts";
import type { HttpEndpoint } from "./app.ts";
import { firstPage, keepAlive, operationNamed, SILENCE_SECONDS, sendEvents, streamInput } from "./event-stream.ts";
import { sendProblem } from "./problem.ts";

const PAGE = 100;

export function createMessageStream({ operations }: { readonly operations: readonly AnyOperation[] }): HttpEndpoint {
  const operation = operationNamed(operations, listMessages.name);
  return {
    path: messageStream.path,
    methods: ["GET"],
    stream: messageStream,
    handle: async (request, response, caller) => {
      const refusal = await caller.refusalOf(messageStream);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { after } = streamInput(messageStream, request);
      const { signal } = caller;
      const read = async (from: number, wait_seconds: number) =>
        listMessages.output.parse(await callOperation(operation, { after: from, limit: PAGE, wait_seconds }, caller));
      let page = await firstPage(messageStream, request, () => read(after, 0));
      await sendEvents(request, response, signal, async (send) => {
        while (!signal.aborted) {
          for (const message of page.messages) await send(`id: ${message.cursor}\ndata: ${JSON.stringify(message)}`);
          const begun = performance.now();
          page = await read(page.next_cursor, SILENCE_SECONDS);
          if (page.messages.length === 0) await keepAlive(send, begun, signal);
        }
      });
    },
  };
}
