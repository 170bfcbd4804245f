// Speaks in order of arrival, for each device separately. The provider does not report when a device has finished, and a
// second speech cuts the first one off, so the next speech waits for the estimated duration of the last one (D-155).
import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";
import { serialize } from "./serialize.ts";
import type { Speech } from "./upstream/sequence.ts";
import type { Speak } from "./upstream/speak.ts";
import { VoiceError } from "./voice-error.ts";

export type Pace = {
  /** Per speech, and once more when it sets the volume. */
  readonly speech_ms: number;
  readonly character_ms: number;
  /** The number of speeches that may wait for one device. */
  readonly limit: number;
};

export type SpeechQueue = {
  /** Resolves when the provider has accepted the speech. Aborted before it begins, it is not spoken. */
  readonly add: (speech: Speech, signal: AbortSignal) => Promise<void>;
  readonly waiting: () => number;
};

type DeviceQueue = { readonly tasks: PQueue; free_at: number };

/** The estimated duration of a speech, in milliseconds. */
export function durationOf({ parts, volume }: Speech, { speech_ms, character_ms }: Pace): number {
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  return speech_ms + characters * character_ms + (volume === null ? 0 : speech_ms);
}

export function createSpeechQueue(speak: Speak, pace: Pace): SpeechQueue {
  const queues = new Map<string, DeviceQueue>();
  const queueOf = ({ device }: Speech): DeviceQueue => {
    const queue = queues.get(device.serial_number) ?? { tasks: new PQueue({ concurrency: 1 }), free_at: 0 };
    queues.set(device.serial_number, queue);
    return queue;
  };

  const take = async (queue: DeviceQueue, speech: Speech, signal: AbortSignal): Promise<void> => {
    await sleep(Math.max(0, queue.free_at - performance.now()), undefined, { signal });
    try {
      await speak(speech, signal);
    } catch (error) {
      if (!(error instanceof VoiceError && error.details.perhaps_spoken)) throw error;
      queue.free_at = performance.now() + durationOf(speech, pace);
      throw error;
    }
    queue.free_at = performance.now() + durationOf(speech, pace);
  };

  return {
    add: async (speech, signal) => {
      const queue = queueOf(speech);
      if (lengthOf(queue) >= pace.limit) throw full(queue, speech);
      await serialize(queue.tasks, () => take(queue, speech, signal), signal);
    },
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + lengthOf(queue), 0),
  };
}

const lengthOf = ({ tasks }: DeviceQueue): number => tasks.size + tasks.pending;

function full(queue: DeviceQueue, { device }: Speech): VoiceError {
  const retry_after = Math.max(1, Math.ceil((queue.free_at - performance.now()) / 1_000));
  const message = `${lengthOf(queue)} speeches wait for ${device.name} already; try again in ${retry_after} s.`;
  return new VoiceError("queue_full", message, { retry_after });
}
