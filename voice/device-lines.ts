// Whether each device is free: it is not while a speech is being sent to it, nor until the estimated end of the last one (D-155).
import type { SpeakTarget } from "./devices.ts";

type Line = { free_at: number; is_speaking: boolean };

/** Times are those of `performance.now`. */
export function createDeviceLines() {
  const lines = new Map<string, Line>();
  const of = (serial: string): Line => {
    const line = lines.get(serial) ?? { free_at: 0, is_speaking: false };
    lines.set(serial, line);
    return line;
  };
  const all = ({ devices }: SpeakTarget): Line[] => devices.map(({ serial_number }) => of(serial_number));
  return {
    freeAt: (serial: string): number => of(serial).free_at,
    areFree: (target: SpeakTarget, now: number): boolean =>
      all(target).every(({ is_speaking, free_at }) => !is_speaking && free_at <= now),
    /** In milliseconds after `now`, until one of those that are busy by estimate is free; null when there is none. */
    freeIn: (now: number): number | null => {
      const busy = [...lines.values()].flatMap(({ is_speaking, free_at }) => (is_speaking ? [] : [free_at]));
      const left = busy.map((free_at) => free_at - now).filter((ms) => ms > 0);
      return left.length === 0 ? null : Math.min(...left);
    },
    seize: (target: SpeakTarget): void => {
      for (const line of all(target)) line.is_speaking = true;
    },
    release: (target: SpeakTarget, free_at: number): void => {
      for (const line of all(target)) Object.assign(line, { is_speaking: false, free_at });
    },
  };
}
