// Keeps what steps write while they run, for those who watch (D-196): the last 64 KiB of each running step, without secrets, in
// memory. The text of a stream grows by pieces, and is sent without secrets as soon as none can begin in what is not there yet.
import { StringDecoder } from "node:string_decoder";
import {
  createWatchedTails,
  type LiveOutput,
  type LivePiece,
  type LiveTails,
  type StepRun,
} from "../domain/live-output.ts";
import { mayBeginShape, type Redact } from "../redact/find-secrets.ts";
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

/** As at the cut of long output. Longer than a secret in any encoding. */
const MARGIN = 16 * 1024;

/** `at` is the position of the bytes in their stream; `quiet` when nothing followed them for a while. */
type Piece = { readonly at: number; readonly bytes: Buffer; readonly quiet: boolean };

/** The bytes that are left out before the text. */
type Released = { readonly text: string; readonly missed_bytes: number };

export type GrowingText = { readonly push: (piece: Piece) => Released };

export function createGrowingText(redact: Redact, beginningOf: (text: string) => number): GrowingText {
  let decoder = new StringDecoder("utf8");
  // Text that was shown or left out, as context, and from `released` on text that is held.
  let text = "";
  let released = 0;
  let expected = 0;
  let missed_bytes = 0;
  // After a gap, a secret may have begun in it: so many bytes are context only.
  let blind = 0;

  const skipTo = (at: number) => {
    missed_bytes += at - expected + Buffer.byteLength(text.slice(released));
    decoder = new StringDecoder("utf8");
    text = "";
    released = 0;
    blind = MARGIN;
  };

  return {
    push: ({ at, bytes, quiet }) => {
      if (at > expected) skipTo(at);
      expected = at + bytes.length;
      const hidden = bytes.subarray(0, blind);
      blind -= hidden.length;
      missed_bytes += hidden.length;
      text += decode(decoder, hidden);
      if (hidden.length > 0) released = text.length;
      text += decode(decoder, bytes.subarray(hidden.length));
      const end = Math.max(released, releasable(text, quiet, beginningOf));
      if (end === released) return { text: "", missed_bytes: 0 };
      const shown = { text: redact(text, { start: released, end }), missed_bytes };
      const from = Math.max(0, end - MARGIN);
      text = text.slice(from);
      released = end - from;
      missed_bytes = 0;
      return shown;
    },
  };
}

const decode = (decoder: StringDecoder, bytes: Buffer): string => decoder.write(bytes).replaceAll("\0", "");

/** Up to where the text can be shown, also when secrets are not complete yet. */
function releasable(text: string, quiet: boolean, beginningOf: (text: string) => number): number {
  const line = text.lastIndexOf("\n") + 1;
  const last = text.slice(line);
  const complete = quiet && !mayBeginShape(last) && !endsInBase64(last, 16) ? text.length : line;
  const end = Math.max(Math.min(complete, beginningOf(text), keyBody(text)), text.length - MARGIN);
  const splits = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return splits ? end - 1 : end;
}

/**
 * Where lines begin that the end of a private key would hide if it followed: the beginning of the key need not be in the text.
 * The line after such lines may be the last of the key, which is shorter, and the line that has not ended its end.
 */
function keyBody(text: string): number {
  const lines = text.slice(-MARGIN).split("\n");
  const isBody = lines.map((line) => endsInBase64(line, 40));
  const whole = lines.slice(0, -1);
  const first = whole.findLastIndex((_, at) => isBody[at] !== true && isBody[at - 1] !== true) + 1;
  return first < whole.length || isBody.at(-1) === true
    ? text.length - lines.slice(first).join("\n").length
    : text.length;
}

/** The digits of a hash have no capital letters, and most paths have none. */
function endsInBase64(line: string, least: number): boolean {
  const [run = ""] = /[A-Za-z0-9+/]*[=\s"',\\]{0,8}$/.exec(line.slice(-128)) ?? [];
  return run.length >= least && /[A-Z]/.test(run) && /[a-z]/.test(run);
}
