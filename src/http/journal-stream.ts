// GET /v1/tasks/{task_id}/journal/stream: the journal of a task as server-sent events, and on request what a running step
// writes (D-196). Events come from the operation read_journal: one truth, one redaction, one limit of waits.

import type { LiveOutput } from "../domain/live-output.ts";
import { hasEnded } from "../domain/outcome.ts";
import { type AnyOperation, callOperation } from "../operations/operation.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { journalStream } from "../operations/shapes/journal-stream.ts";
import type { HttpEndpoint } from "./app.ts";
import { firstPage, operationNamed, sendEvents, streamInput } from "./event-stream.ts";
import { PAGE, type ReadPage, writeJournal } from "./journal-events.ts";
import { sendProblem } from "./problem.ts";

type Deps = { readonly operations: readonly AnyOperation[]; readonly live: LiveOutput };

const NOTHING: LiveOutput = { watch: () => ({ read: () => [], close: () => undefined }) };

export function createJournalStream({ operations, live }: Deps): HttpEndpoint {
  const operation = operationNamed(operations, readJournal.name);
  return {
    path: journalStream.path,
    methods: ["GET"],
    stream: journalStream,
    handle: async (request, response, caller) => {
      const refusal = await caller.refusalOf(journalStream);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { task_id, after, output } = streamInput(journalStream, request);
      const read: ReadPage = async (from, wait_seconds, signal) =>
        readJournal.output.parse(
          await callOperation(operation, { task_id, after: from, limit: PAGE, wait_seconds }, { ...caller, signal }),
        );
      const first = await firstPage(journalStream, request, () => read(after, 0, caller.signal));
      // A browser connects again after the end of a stream, unless it gets this.
      if (first.events.length === 0 && hasEnded(first.status)) return void response.status(204).end();
      const { watch } = output === "live" ? live : NOTHING;
      const source = { read, after, watch: (onMore: () => void) => watch(task_id, onMore) };
      await sendEvents(request, response, caller.signal, (send) => writeJournal(source, send, caller.signal, first));
    },
  };
}
