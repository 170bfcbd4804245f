// Keeps what steps write while they run, for those who watch (D-196): the last 64 KiB of each running step, without secrets, in
// memory.
import {
  createWatchedTails,
  type LiveOutput,
  type LivePiece,
  type LiveTails,
  type StepRun,
} from "../domain/live-output.ts";
import type { Redact } from "../redact/redact.ts";
import { createGrowingText, type GrowingText } from "./growing-text.ts";
import type { CommandRunner, ReceiveLive } from "./local/runner/command-runner.ts";
import type { LiveBytes } from "./local/runner/live-sender.ts";

type Sources = {
  readonly watch: CommandRunner["watch"];
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within. */
  readonly beginningOf: (text: string) => number;
};

/** By step and attempt. */
type Running = { readonly tails: LiveTails; readonly texts: Map<string, Map<LiveBytes["stream"], GrowingText>> };

export const createLiveOutput = (sources: Sources): LiveOutput =>
  createWatchedTails((task_id, { tails, wake }) => {
    const running: Running = { tails, texts: new Map() };
    sources.watch(task_id, (step, live) => {
      if (receive(sources, running, step, live)) wake();
    });
    return () => sources.watch(task_id, null);
  });

/** Whether there is more to read. */
function receive(
  { redact, beginningOf }: Sources,
  { tails, texts }: Running,
  ...[step, live]: Parameters<ReceiveLive>
): boolean {
  const key = `${step.index} ${step.attempt}`;
  if (live === null) {
    tails.drop(key);
    texts.delete(key);
    return false;
  }
  const streams = texts.get(key) ?? new Map<LiveBytes["stream"], GrowingText>();
  texts.set(key, streams);
  if (live.first) streams.set(live.stream, createGrowingText(redact, beginningOf));
  const released = streams.get(live.stream)?.push({ ...live, bytes: Buffer.from(live.bytes, "base64") });
  if (released === undefined || released.text === "") return false;
  tails.append(key, pieceOf(step, live.stream, released));
  return true;
}

const pieceOf = (
  { index, attempt }: StepRun,
  stream: LiveBytes["stream"],
  released: Pick<LivePiece, "text" | "missed_bytes">,
): LivePiece => ({ index, attempt, stream, ...released });
