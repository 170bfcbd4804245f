// GET /v1/tasks/{task_id}/journal/stream: the journal of a task as server-sent events, and on request what a running step
// writes (D-196). Events come from the operation read_journal: one truth, one redaction, one limit of waits.

import type { LiveOutput } from "../domain/live-output.ts";
import { hasEnded } from "../domain/outcome.ts";
import { type AnyOperation, callOperation, invalidInput } from "../operations/operation.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { journalStream } from "../operations/shapes/journal-stream.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { HttpEndpoint } from "./app.ts";
import type { Call } from "./context.ts";
import { PAGE, type ReadPage, writeJournal } from "./journal-events.ts";
import { sendProblem } from "./problem.ts";

type Deps = { readonly operations: readonly AnyOperation[]; readonly live: LiveOutput };

const NOTHING: LiveOutput = { watch: () => ({ read: () => [], close: () => undefined }) };

export function createJournalStream({ operations, live }: Deps): HttpEndpoint {
  const operation = operations.find(({ name }) => name === readJournal.name);
  if (operation === undefined) throw new Error("there is no operation read_journal");
  return {
    path: journalStream.path,
    methods: ["GET"],
    stream: journalStream,
    handle: async (request, response, caller) => {
      const refusal = caller.refusalOf(journalStream);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { task_id, after, output } = inputOf(request);
      const read: ReadPage = async (from, wait_seconds, signal) =>
        readJournal.output.parse(
          await callOperation(operation, { task_id, after: from, limit: PAGE, wait_seconds }, { ...caller, signal }),
        );
      const first = await read(after, 0, caller.signal);
      // A browser connects again after the end of a stream, unless it gets this.
      if (first.events.length === 0 && hasEnded(first.status)) return void response.status(204).end();
      response.status(200).set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
      response.flushHeaders();
      if (request.method === "HEAD") return void response.end();
      const { watch } = output === "live" ? live : NOTHING;
      const source = { read, watch: (onMore: () => void) => watch(task_id, onMore) };
      await writeJournal(source, response, caller.signal, first).catch((error: unknown) => {
        // The reader has gone, or the server stops.
        if (!caller.signal.aborted) throw error;
      });
      response.end();
    },
  };
}

/** A reader that connects again names the last event that it has. */
function inputOf({ query, params, headers }: Call) {
  const last = headers["last-event-id"];
  const input = { ...Object(query), ...params, ...(last !== undefined && { after: last }) };
  const parsed = parseInput(journalStream.input, input);
  if (!parsed.ok) throw invalidInput({ name: journalStream.name }, parsed.issues);
  return parsed.value;
}
