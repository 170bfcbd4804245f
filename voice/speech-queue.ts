// First come, first spoken, for each device by itself. The provider does not say when a device has finished, and a second
// speech cuts the first one off, so the next one waits for as long as the last one takes to speak.
import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";
import { inLine } from "./in-line.ts";
import type { Speech } from "./upstream/sequence.ts";
import type { Speak } from "./upstream/speak.ts";
import { VoiceError } from "./voice-error.ts";

export type Pace = {
  /** For a speech as such, and again where it sets the volume. */
  readonly speech_ms: number;
  readonly character_ms: number;
  /** Speeches that may wait for one device. */
  readonly limit: number;
};

export type SpeechQueue = {
  /** Resolves when the provider has accepted it. Aborted before its turn it is not spoken. */
  readonly add: (speech: Speech, signal: AbortSignal) => Promise<void>;
  readonly waiting: () => number;
};

type Line = { readonly queue: PQueue; free_at: number };

/** How long a device takes to speak, in milliseconds. */
export function durationOf({ parts, volume }: Speech, { speech_ms, character_ms }: Pace): number {
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  return speech_ms + characters * character_ms + (volume === null ? 0 : speech_ms);
}

export function createSpeechQueue(speak: Speak, pace: Pace): SpeechQueue {
  const lines = new Map<string, Line>();
  const lineOf = ({ device }: Speech): Line => {
    const line = lines.get(device.serial_number) ?? { queue: new PQueue({ concurrency: 1 }), free_at: 0 };
    lines.set(device.serial_number, line);
    return line;
  };

  const take = async (line: Line, speech: Speech, signal: AbortSignal): Promise<void> => {
    await sleep(Math.max(0, line.free_at - performance.now()), undefined, { signal });
    try {
      await speak(speech, signal);
    } catch (error) {
      if (!(error instanceof VoiceError && error.details.perhaps_spoken)) throw error;
      line.free_at = performance.now() + durationOf(speech, pace);
      throw error;
    }
    line.free_at = performance.now() + durationOf(speech, pace);
  };

  return {
    add: async (speech, signal) => {
      const line = lineOf(speech);
      if (line.queue.size + line.queue.pending >= pace.limit) throw full(line, speech);
      await inLine(line.queue, () => take(line, speech, signal), signal);
    },
    waiting: () => [...lines.values()].reduce((sum, { queue }) => sum + queue.size + queue.pending, 0),
  };
}

function full({ queue, free_at }: Line, { device }: Speech): VoiceError {
  const retry_after = Math.max(1, Math.ceil((free_at - performance.now()) / 1_000));
  const message = `${queue.size + queue.pending} speeches wait for ${device.name} already; try again in ${retry_after} s.`;
  return new VoiceError("queue_full", message, { retry_after });
}
