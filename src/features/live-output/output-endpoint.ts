// What the steps of a task write here, for the other servers that share the database (D-396). It is for programs of orch alone: it has a
// secret of its own, which opens nothing else, and no token of a caller opens it.
import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PeerEndpoint } from "../../api/http/app.ts";
import { digestOf, endWaitOf } from "../../api/http/caller.ts";
import type { Call } from "../../api/http/context.ts";
import { type SendEvent, sendEvents } from "../../api/http/event-stream.ts";
import { problem, sendProblem } from "../../api/http/problem.ts";
import { type LiveOutput, OUTPUT_PATH } from "../../domain/live-output.ts";

type Deps = {
  readonly live: LiveOutput;
  readonly secret: string;
  /** The name under which the others call this server. */
  readonly host: string;
  /** Whether this server works on the task. */
  readonly runsHere: (task_id: string) => boolean;
  /** How many streams may be open at once. */
  readonly most?: number;
};

/** One for each task that runs here and each server that shows it: more than a home has. */
const MOST = 256;
/** How soon a stream ends after its task has gone elsewhere. */
const LOOK_MS = 500;
const SILENCE_MS = 5_000;

export function createOutputEndpoint({ live, secret, host, runsHere, most = MOST }: Deps): PeerEndpoint {
  const digest = digestOf(secret);
  let open = 0;
  return {
    path: OUTPUT_PATH,
    host,
    handle: (refuse, stopping) => async (request, response) => {
      if (!timingSafeEqual(digest, digestOf(presentedIn(request))))
        return refuse(request, response, "The secret is not that of this server.");
      const task_id = String(request.params["task_id"]);
      if (!runsHere(task_id)) return sendProblem(response, problem("task_not_found", "This server does not run it."));
      if (open >= most)
        return sendProblem(response, problem("busy", `At most ${most} streams of output are open at once.`));
      open += 1;
      const gone = new AbortController();
      endWaitOf(response, gone);
      const signal = AbortSignal.any([gone.signal, stopping]);
      const source = { watch: (onMore: () => void) => live.watch(task_id, onMore), isHere: () => runsHere(task_id) };
      try {
        await sendEvents(request, response, signal, (send) => writePieces(source, send, signal));
      } finally {
        open -= 1;
      }
    },
  };
}

const presentedIn = ({ headers }: Call): string =>
  /^Bearer +([\w-]{1,512})$/.exec(headers.authorization ?? "")?.[1] ?? "";

type Source = {
  readonly watch: (onMore: () => void) => ReturnType<LiveOutput["watch"]>;
  readonly isHere: () => boolean;
};

/** Resolves when the task has gone from this server, or the signal aborts. */
async function writePieces({ watch, isHere }: Source, send: SendEvent, signal: AbortSignal): Promise<void> {
  let more = new AbortController();
  const reader = watch(() => more.abort());
  try {
    for (let sent_at = performance.now(); !signal.aborted; ) {
      more = new AbortController();
      // Asked first, so that what was written to its end is sent.
      const ends = !isHere();
      for (const piece of reader.read()) {
        await send(`data: ${JSON.stringify(piece)}`);
        sent_at = performance.now();
      }
      if (ends) return;
      if (performance.now() - sent_at >= SILENCE_MS) {
        await send(":");
        sent_at = performance.now();
      }
      await sleep(LOOK_MS, undefined, { signal: AbortSignal.any([signal, more.signal]) }).catch(() => undefined);
    }
  } finally {
    reader.close();
  }
}
