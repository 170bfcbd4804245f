// Does in the server what a skill asks for in its process, each within the step in which the skill asks it, and bounds the JSON
// that the server parses for it.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "../../../domain/json.ts";
import type { Mutex } from "../../../domain/mutex.ts";
import type { HandlerLost } from "../../../domain/skill.ts";
import type { SkillContext } from "../../../ports.ts";
import { answerOf } from "./context-in-process.ts";
import type { FromRun, RunQuestion, SkillAnswer, StepWorkKind, ToRun } from "./orders.ts";

/** What the server has of a context; `exclusive` is of the skill. A tool has no steps, and asks for nothing. */
export type ServedContext = Pick<SkillContext, "contract" | "signal" | "call" | "listTools"> &
  Partial<Pick<SkillContext, "step" | "progress" | "approvals">>;

type AskedByRun = Extract<FromRun, { is: "asks" }>;

export type ServingOfRun = {
  readonly ctx: ServedContext;
  /** The mutex of a name, for all runs of the skill. */
  readonly lockOf: (name: string) => Pick<Mutex, "run">;
  readonly say: (message: ToRun) => void;
  /** The run waits for the server, or does no more. */
  readonly waits: (isWaiting: boolean) => void;
};

export function serveContext({ ctx, lockOf, say, waits }: ServingOfRun) {
  const works = stepWorks(say);
  const locks = heldLocks(lockOf, ctx.signal);
  let open = 0;
  let last_id = 0;

  const doAsked = (id: number, asked: RunQuestion, obstacleTo: Obstacle): Promise<unknown> => {
    switch (asked.ask) {
      case "call":
        return ctx.call(asked.server, asked.tool, parseWithin(asked.args, obstacleTo));
      case "listTools":
        return ctx.listTools(asked.server);
      case "exclusive":
        return locks.hold(id, asked.name);
      case "step": {
        const cut_off = asked.cut_off === "work" ? works.of(id, "cut_off") : asked.cut_off;
        const { step = unavailable } = ctx;
        // The journal refuses a name that is none.
        const name = asked.name as string;
        return cut_off === null ? step(name, works.of(id, "run")) : step(name, works.of(id, "run"), cut_off);
      }
      case "request":
        return (ctx.approvals?.request ?? unavailable)(parseWithin(asked.content, obstacleTo));
      case "wait":
        return (ctx.approvals?.wait ?? unavailable)(asked.approval_id);
    }
  };

  const answer = async ({ id, within, asked }: AskedByRun, obstacleTo: Obstacle): Promise<void> => {
    // A step waits for the process.
    const isWait = asked.ask !== "step";
    if (isWait) waits(true);
    open += 1;
    const answered = await works.inside(within, () => answerOf(() => doAsked(id, asked, obstacleTo)));
    open -= 1;
    if (isWait) waits(false);
    say({ is: "answered", id, answer: answered });
  };

  return {
    heard: (message: FromRun, obstacleTo: Obstacle): void => {
      if (message.is === "asks") {
        // Two with one id would wait for the answer of one.
        if (message.id <= last_id) throw new Error("it asks twice with one id");
        last_id = message.id;
        void answer(message, obstacleTo);
      }
      if (message.is === "stepped") works.settle(message.id, message.answer, obstacleTo);
      else if (message.is === "released") locks.release(message.id);
      else if (message.is === "progressed") ctx.progress?.(Number(message.done), Number(message.total), message.text);
    },
    /** How much it has asked for that has no answer yet. */
    open: () => open,
    /** Nothing that is under way there has an answer any more. */
    lose: (error: HandlerLost): void => {
      locks.releaseAll();
      works.lose(error);
    },
  };
}

/** The works of steps, which the process does. */
function stepWorks(say: ServingOfRun["say"]) {
  const inside = new Map<number, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  const working = new Map<number, PromiseWithResolvers<Json>>();
  let lost: HandlerLost | null = null;
  return {
    of: (id: number, which: StepWorkKind) => async (): Promise<Json> => {
      if (lost !== null) throw lost;
      const done = Promise.withResolvers<Json>();
      inside.set(id, AsyncLocalStorage.snapshot());
      working.set(id, done);
      say({ is: "work", id, which });
      try {
        return await done.promise;
      } finally {
        working.delete(id);
        inside.delete(id);
      }
    },
    /** Runs it as a part of the step, as the journal sees it. */
    inside: (step: number | null, run: () => Promise<SkillAnswer>): Promise<SkillAnswer> => {
      const enter = step === null ? undefined : inside.get(step);
      return enter === undefined ? run() : enter(run);
    },
    settle: (id: number, answer: SkillAnswer, obstacleTo: Obstacle): void => {
      if ("failed" in answer) working.get(id)?.reject(new Error(answer.failed));
      else working.get(id)?.resolve(parseWithin(answer.value, obstacleTo));
    },
    lose: (error: HandlerLost): void => {
      lost = error;
      for (const done of working.values()) done.reject(error);
    },
  };
}

const MAX_NAME = 200;

const MAX_HELD = 1_000;

/** The locks that a run holds. */
function heldLocks(lockOf: ServingOfRun["lockOf"], signal: AbortSignal) {
  const held = new Map<number, () => void>();
  let isOver = false;
  const release = (id: number): void => {
    held.get(id)?.();
    held.delete(id);
  };
  return {
    hold: (id: number, name: string): Promise<null> => {
      if (name.length > MAX_NAME)
        return Promise.reject(new Error(`the name of a lock has at most ${MAX_NAME} characters`));
      if (held.size >= MAX_HELD)
        return Promise.reject(new Error(`a run holds at most ${MAX_HELD} locks at the same time`));
      const { promise, resolve, reject } = Promise.withResolvers<null>();
      const untilReleased = () =>
        new Promise<void>((free) => {
          if (isOver) return free();
          held.set(id, free);
          resolve(null);
        });
      lockOf(name).run(untilReleased, signal).catch(reject);
      return promise;
    },
    release,
    releaseAll: (): void => {
      isOver = true;
      for (const id of [...held.keys()]) release(id);
    },
  };
}

const unavailable = (): Promise<never> =>
  Promise.reject(new Error("a tool of a skill has neither steps nor approvals"));

/** Of all that is in the values of one line, and of what is around them. */
export const MOST_VALUES = 200_000;

export const MOST_AROUND_VALUES = 32_000;

const MOST_LEVELS = 100;

/** Why a text is not to be parsed; null when it may be. */
export type Obstacle = (text: string) => string | null;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

/**
 * What JSON the server parses for the code of a skill, on its event loop: the time follows from how many values a text holds, and
 * not from its length. Text of 24 MB that is all brackets takes 7 s (D-252). For texts that hold so many values together.
 */
export function valuesWithin(most: number): Obstacle {
  let values = 0;
  return (text) => {
    let levels = 0;
    let isQuoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (isQuoted) {
        if (sign === BACKSLASH) at += 1;
        else if (sign === QUOTE) isQuoted = false;
      } else if (sign === QUOTE) isQuoted = true;
      else if (sign === COMMA) values += 1;
      else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        values += 1;
        levels += 1;
      } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) levels -= 1;
      if (values > most) return `it holds more than ${most} values; keep them in one text, or in several steps`;
      if (levels > MOST_LEVELS) return `it is nested deeper than ${MOST_LEVELS} levels; flatten it`;
    }
    return null;
  };
}

export function parseWithin(text: string, obstacleTo: Obstacle) {
  const obstacle = obstacleTo(text);
  if (obstacle !== null) throw new Error(obstacle);
  return JSON.parse(text);
}
