// How long speeches take and wait, by estimate: the provider reports no end of a speech (D-155).
import type { Speech } from "./upstream/sequence.ts";

export type Pace = {
  /** Per speech, and once more when it sets the volume. */
  readonly speech_ms: number;
  readonly character_ms: number;
  /** The number of speeches that may wait for one device. */
  readonly limit: number;
  /** The number of speeches that may wait or be under way altogether. */
  readonly total: number;
};

/** The estimated duration of a speech, in milliseconds. */
export function durationOf(
  { parts, volume }: Pick<Speech, "parts" | "volume">,
  { speech_ms, character_ms }: Pick<Pace, "speech_ms" | "character_ms">,
): number {
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  return speech_ms + characters * character_ms + (volume === null ? 0 : speech_ms);
}

type Ahead = {
  readonly pace: Pace;
  /** Those that go before it, in their order. */
  readonly before: readonly Speech[];
  readonly freeAt: (serial_number: string) => number;
};

/** In milliseconds, until all devices of the speech are free. */
export function waitOf(speech: Speech, { pace, before, freeAt }: Ahead): number {
  const now = performance.now();
  const free = new Map<string, number>();
  const startOf = ({ target }: Speech): number =>
    Math.max(...target.devices.map(({ serial_number: serial }) => free.get(serial) ?? Math.max(now, freeAt(serial))));
  for (const one of before) {
    const end = startOf(one) + durationOf(one, pace);
    for (const { serial_number } of one.target.devices) free.set(serial_number, end);
  }
  return Math.ceil(startOf(speech) - now);
}
