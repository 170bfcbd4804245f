// Decides which speech is next: announcements first, then in order of arrival, one at a time on each device. The provider does
// not report when a device has finished, and a second speech cuts the first one off, so the next speech waits for the estimated
// duration of the last one (D-155). A speech of a group waits until all its devices are free (D-274).
import { randomUUID } from "node:crypto";
import type { SpeakTarget } from "./devices.ts";
import type { Speak, Speech } from "./upstream/speak.ts";
import { VoiceError } from "./voice-error.ts";

/** Those that go first come first. */
export const PRIORITIES = ["announcement", "normal", "low"] as const;
type Priority = (typeof PRIORITIES)[number];

export type Order = {
  readonly speech: Speech;
  readonly priority: Priority;
  /** What is not begun after this time is not spoken; null for no limit. */
  readonly max_wait_ms: number | null;
  readonly signal: AbortSignal;
  readonly onBegin?: () => void;
};

export type SpeechQueue = {
  /** Throws a VoiceError for what would be refused now. */
  readonly admit: (order: Order) => void;
  /** Resolves when the provider has accepted the speech. Aborted before it begins, it is not spoken. */
  readonly add: (order: Order) => Promise<void>;
  /** An estimate, in milliseconds. */
  readonly waitFor: (order: Pick<Order, "speech" | "priority">) => number;
  readonly waiting: () => number;
};

type Waiting = Order & { readonly begin: () => void };

const rankOf = ({ priority }: Pick<Order, "priority">): number => PRIORITIES.indexOf(priority);

export function createSpeechQueue(speak: Speak, pace: Pace): SpeechQueue {
  const lines = createDeviceLines();
  let waiting: Waiting[] = [];
  let under_way = 0;
  /** For the next device that is estimated to be free. */
  let alarm: NodeJS.Timeout | undefined;

  /** Begins every speech whose devices are free and not wanted by one before it. */
  const next = (): void => {
    // One moment for all: a device that is busy in the loop sets the alarm after it.
    const now = performance.now();
    const wanted = new Set<string>();
    for (const order of [...waiting]) {
      const { target } = order.speech;
      const serials = target.devices.map(({ serial_number }) => serial_number);
      const isNext = lines.areFree(target, now) && !serials.some((serial) => wanted.has(serial));
      for (const serial of serials) wanted.add(serial);
      if (!isNext) continue;
      waiting = waiting.filter((one) => one !== order);
      // Before anything else runs, so that no other speech begins on these devices.
      lines.seize(target);
      under_way += 1;
      order.begin();
    }
    clearTimeout(alarm);
    const free_in_ms = lines.freeIn(now);
    if (waiting.length > 0 && free_in_ms !== null) alarm = setTimeout(next, Math.max(1, Math.ceil(free_in_ms)));
  };

  const run = async ({ speech, signal, onBegin, ...order }: Order): Promise<void> => {
    onBegin?.();
    let is_spoken = true;
    try {
      await speak(speech, { signal, priority: -rankOf(order) });
    } catch (error) {
      is_spoken = error instanceof VoiceError && error.details.perhaps_spoken === true;
      throw error;
    } finally {
      under_way -= 1;
      const busy_ms = is_spoken ? durationOf(speech, pace) : 0;
      lines.release(speech.target, performance.now() + busy_ms);
      next();
    }
  };

  const place = (entry: Waiting): void => {
    const at = waiting.findIndex((one) => rankOf(one) > rankOf(entry));
    waiting = waiting.toSpliced(at === -1 ? waiting.length : at, 0, entry);
    next();
  };
  const remove = (entry: Waiting): void => {
    waiting = waiting.filter((one) => one !== entry);
    next();
  };

  const waitFor: SpeechQueue["waitFor"] = ({ speech, ...order }) => {
    const before = waiting.filter((one) => rankOf(one) <= rankOf(order)).map((one) => one.speech);
    return waitOf(speech, { pace, before, freeAt: lines.freeAt });
  };
  const admit = (order: Order): void => admitted(order, { waiting, under_way, pace, wait_ms: waitFor(order) });

  return {
    admit,
    add: async (order) => {
      admit(order);
      await inTurn(order, place, remove);
      await run(order);
    },
    waitFor,
    waiting: () => waiting.length + under_way,
  };
}

/** Resolves when the order is next; rejects when its caller leaves, or it has waited for too long. */
function inTurn(order: Order, place: (entry: Waiting) => void, remove: (entry: Waiting) => void): Promise<void> {
  const { signal, max_wait_ms } = order;
  return new Promise((resolve, reject) => {
    const leave = (reason: unknown): void => {
      done();
      remove(entry);
      reject(reason);
    };
    const gone = () => leave(signal.reason);
    const late = max_wait_ms === null ? null : setTimeout(() => leave(tooLate(max_wait_ms)), max_wait_ms);
    const done = () => {
      if (late !== null) clearTimeout(late);
      signal.removeEventListener("abort", gone);
    };
    const entry: Waiting = {
      ...order,
      begin: () => {
        done();
        resolve();
      },
    };
    signal.addEventListener("abort", gone, { once: true });
    place(entry);
  });
}

type Load = {
  readonly waiting: readonly Order[];
  readonly under_way: number;
  readonly pace: Pace;
  readonly wait_ms: number;
};

function admitted({ speech, max_wait_ms, signal }: Order, { waiting, under_way, pace, wait_ms }: Load): void {
  signal.throwIfAborted();
  const { name, devices } = speech.target;
  for (const device of devices) {
    const { length } = waiting.filter((one) => one.speech.target.devices.includes(device));
    if (length >= pace.limit) throw full(`${length} speeches wait for ${device.name}`, wait_ms);
  }
  if (waiting.length + under_way >= pace.total) throw full(`${waiting.length} speeches wait`, wait_ms);
  if (max_wait_ms !== null && wait_ms > max_wait_ms)
    throw full(`${name} is busy for about ${inSeconds(wait_ms)} s`, wait_ms - max_wait_ms);
}

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

function full(what: string, ms: number): VoiceError {
  const retry_after = inSeconds(ms);
  return new VoiceError("queue_full", `${what}; try again in ${retry_after} s.`, { retry_after });
}

const tooLate = (ms: number): VoiceError =>
  new VoiceError("expired", `It was not begun within ${inSeconds(ms)} s (max_wait_s), and was not spoken.`);

type Line = { free_at: number; is_speaking: boolean };

/**
 * Whether each device is free: it is not while a speech is being sent to it, nor until the estimated end of the last one (D-155).
 * Times are those of `performance.now`.
 */
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

export type Pace = {
  /** Per speech, and once more when it sets the volume. */
  readonly speech_ms: number;
  readonly character_ms: number;
  /** The number of speeches that may wait for one device. */
  readonly limit: number;
  /** The number of speeches that may wait or be under way altogether. */
  readonly total: number;
};

/**
 * How long speeches take and wait, by estimate: the provider reports no end of a speech (D-155). The estimated duration of a
 * speech, in milliseconds.
 */
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
function waitOf(speech: Speech, { pace, before, freeAt }: Ahead): number {
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

type SpeechState =
  | { readonly state: "waiting" | "sending" | "accepted" }
  | { readonly state: "failed"; readonly failure: VoiceError };

type Kept = { readonly id: string; readonly facts: object } & SpeechState;

export type Speeches = {
  /** `run` is called at once, and calls its argument when the speech begins. The id under which its state can be asked. */
  readonly begin: (
    facts: object,
    run: (onBegin: () => void) => Promise<void>,
    failed: (error: unknown) => VoiceError,
  ) => string;
  readonly find: (id: string) => Kept;
};

const KEPT = 1_000;

/**
 * The speeches that no caller waits for, by id: what has become of each. They are kept in memory, the last ones only (D-274).
 */
export function createSpeeches(): Speeches {
  const kept = new Map<string, Kept>();
  const put = (id: string, facts: object, state: SpeechState) => void kept.set(id, { id, facts, ...state });
  const forget = (): void => {
    for (const [id, { state }] of kept) {
      if (kept.size <= KEPT) return;
      if (state === "accepted" || state === "failed") kept.delete(id);
    }
  };
  return {
    begin: (facts, run, failed) => {
      const id = randomUUID();
      put(id, facts, { state: "waiting" });
      run(() => put(id, facts, { state: "sending" })).then(
        () => put(id, facts, { state: "accepted" }),
        (error: unknown) => put(id, facts, { state: "failed", failure: failed(error) }),
      );
      forget();
      return id;
    },
    find: (id) => {
      const found = kept.get(id);
      if (found !== undefined) return found;
      throw new VoiceError("unknown_speech", `There is no such speech; the last ${KEPT} are known until a restart.`);
    },
  };
}
