// Gives a handler its context in its process: each use of it is asked of the server, which has the journal and policy.
import { AsyncLocalStorage } from "node:async_hooks";
import type { TaskContract } from "../../../domain/contract.ts";
import { wordsOf } from "../../../domain/errors.ts";
import type { Json } from "../../../domain/json.ts";
import type { SkillContext } from "../../../ports.ts";
import { type FromRun, RunQuestion, type SkillAnswer, type StepWorkKind, type ToRun } from "./orders.ts";

type StepWork = () => Promise<unknown>;

export function contextInProcess(contract: TaskContract, say: (message: FromRun) => void) {
  const abort = new AbortController();
  const { ask, newId, inStep, settle } = asking(say);
  const works = new Map<number, Partial<Record<StepWorkKind, StepWork>> & { thrown?: unknown }>();

  const step = (name: unknown, run: StepWork, cut_off?: "repeat" | StepWork): Promise<Json> => {
    requireStep(name, run, cut_off);
    const id = newId();
    const isWork = typeof cut_off === "function";
    const own: NonNullable<ReturnType<typeof works.get>> = { run, ...(isWork && { cut_off }) };
    works.set(id, own);
    // The server answers with words. Where they were thrown is known here only.
    const answer = ask({ ask: "step", name, cut_off: isWork ? "work" : (cut_off ?? null) }, id).catch(
      (error: Error) => {
        throw new Error(error.message, { cause: own.thrown });
      },
    );
    const forget = (): void => void works.delete(id);
    answer.then(forget, forget);
    return answer;
  };

  /** Held from the answer of the server until `work` has settled. */
  const exclusive = async <T>(name: string, work: () => Promise<T> | T): Promise<T> => {
    const id = newId();
    await ask({ ask: "exclusive", name }, id);
    try {
      return await work();
    } finally {
      say({ is: "released", id });
    }
  };

  const ctx = {
    contract,
    clock: () => new Date(),
    signal: abort.signal,
    step,
    exclusive,
    call: async (server: string, tool: string, args: object) => ask({ ask: "call", server, tool, args: textOf(args) }),
    listTools: async (server: string) => ask({ ask: "listTools", server }),
    progress: (done: unknown, total: unknown, text: unknown) =>
      say({ is: "progressed", done: Number(done), total: Number(total), text: String(text) }),
    approvals: {
      request: async (content: unknown) => ask({ ask: "request", content: textOf(content) }),
      wait: async (approval_id: string) => ask({ ask: "wait", approval_id }),
    },
  };

  const doWork = async (id: number, which: StepWorkKind): Promise<void> => {
    const own = works.get(id) ?? {};
    const work = own[which] ?? (() => Promise.reject(new Error("the step is not known here")));
    const keeping = async () => {
      try {
        return await work();
      } catch (error) {
        own.thrown = error;
        throw error;
      }
    };
    say({ is: "stepped", id, answer: await inStep(id, () => answerOf(keeping)) });
  };

  const heard = (message: Exclude<ToRun, { is: "alive" }>): void => {
    if (message.is === "aborted") abort.abort(message.reason);
    else if (message.is === "work") void doWork(message.id, message.which);
    else settle(message.id, message.answer);
  };

  // Every value that the server answers is what the port says: the server has its types.
  return { ctx: ctx as unknown as SkillContext, heard };
}

/** What is asked of the server, and in which step. */
function asking(say: (message: FromRun) => void) {
  const asked = new Map<number, PromiseWithResolvers<Json>>();
  const open = new AsyncLocalStorage<number>();
  let ids = 0;
  const newId = (): number => ++ids;
  return {
    newId,
    ask: (question: RunQuestion, id = newId()): Promise<Json> => {
      requireQuestion(question);
      const answer = Promise.withResolvers<Json>();
      // A rejection that nothing awaits is no error: it is recorded where it belongs.
      answer.promise.catch(() => undefined);
      asked.set(id, answer);
      say({ is: "asks", id, within: open.getStore() ?? null, asked: question });
      return answer.promise;
    },
    inStep: <T>(id: number, run: () => Promise<T>): Promise<T> => open.run(id, run),
    settle: (id: number, answer: SkillAnswer): void => {
      const waiting = asked.get(id);
      asked.delete(id);
      if ("failed" in answer) waiting?.reject(new Error(answer.failed));
      else waiting?.resolve(JSON.parse(answer.value));
    },
  };
}

/** What the types of the port forbid is refused where the handler is: to the server it would be no message. */
function requireQuestion(question: RunQuestion): void {
  const [issue] = RunQuestion.safeParse(question).error?.issues ?? [];
  if (issue === undefined) return;
  const called = question.ask === "wait" ? "approvals.wait" : question.ask;
  throw new Error(`ctx.${called} has a wrong argument: ${issue.path.join(".")}: ${issue.message}`);
}

/** JSON, or the reason that there is none. */
export async function answerOf(work: () => unknown): Promise<SkillAnswer> {
  try {
    return { value: textOf(await work()) };
  } catch (error) {
    return { failed: wordsOf(error) };
  }
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? "null";

/** What the third argument of a step may be, as the end of a sentence. */
export const CUT_OFF = '"repeat" (the step only reads) or a function that finds out what happened';

const MAX_SHOWN = 40;

/**
 * The arguments of ctx.step, refused where the handler calls it: what is no message to the server would end the run without a
 * line. Throws with the place of the caller in its stack. A name that is too long is refused by the journal.
 */
function requireStep(name: unknown, run: unknown, cut_off: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new Error(`a step needs a name: the first argument of ctx.step is ${shown(name)}`);
  const step = `argument of step ${JSON.stringify(name)} is`;
  if (typeof run !== "function")
    throw new Error(`the second ${step} ${shown(run)}: it must be a function that does the step`);
  if (cut_off != null && cut_off !== "repeat" && typeof cut_off !== "function")
    throw new Error(`the third ${step} ${shown(cut_off)}: it must be ${CUT_OFF}`);
}

/** No text is cut: what is left of a secret could not be redacted. */
function shown(value: unknown): string {
  if (typeof value === "string")
    return value.length > MAX_SHOWN ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
