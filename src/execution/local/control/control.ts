// Runs the control of a check: in an empty world, and, where it is green there, in a bare one.
import type { RunCommand } from "../run-command.ts";
import { bareProgramFiles } from "./bare-programs.ts";
import type { ControlCheck, ControlLook, RunControl } from "./control-check.ts";
import { answerOf, sentenceOf } from "./judge-world.ts";
import { inPrivateDirectory, runWorld, type WorldEnd } from "./run-world.ts";
import { readShownMachine, type ShownMachine } from "./shown-machine.ts";
import { planBareWorld, planEmptyWorld, type WorldPlan } from "./world-plan.ts";

const LIMIT_MS = 5_000;
/** A red check that took no longer runs once more: chance may have decided. */
const CHEAP_MS = 400;
const LEAST_MS = 500;

type ControlMeans = {
  readonly runCommand: RunCommand;
  /** Paths that no world shows: the checkout and the data of orch. */
  readonly hidden?: readonly string[];
  readonly unshare?: string;
  readonly limit_ms?: number;
  readonly cheap_ms?: number;
};

export function createControl(means: ControlMeans): RunControl {
  const { runCommand, hidden = [], unshare = "/usr/bin/unshare", limit_ms = LIMIT_MS, cheap_ms = CHEAP_MS } = means;
  let machine: Promise<ShownMachine> | undefined;
  let bareFiles: Promise<string[] | string> | undefined;

  const within = (
    check: ControlCheck,
    world: "empty" | "bare",
    given: { readonly limit_ms: number; readonly abort: AbortSignal },
  ) =>
    inPrivateDirectory(async (directory): Promise<WorldEnd> => {
      machine ??= readShownMachine();
      const facts = { machine: await machine, check, hidden, directory };
      const plan = await planFor(world, facts);
      if (typeof plan === "string") return { kind: "fault", reason: plan };
      const run = { runCommand, unshare, plan, check, first: facts.machine.first, directory, limit_ms: given.limit_ms };
      return runWorld(run, given.abort);
    });

  const planFor = async (
    world: "empty" | "bare",
    facts: Parameters<typeof planEmptyWorld>[0],
  ): Promise<WorldPlan | string> => {
    if (world === "empty") return planEmptyWorld(facts);
    bareFiles ??= bareProgramFiles(runCommand, new AbortController().signal);
    const files = await bareFiles;
    return typeof files === "string" ? files : planBareWorld(facts, files);
  };

  const look = async (check: ControlCheck, abort: AbortSignal): Promise<ControlLook> => {
    const start = performance.now();
    const left = () => Math.max(LEAST_MS, limit_ms - (performance.now() - start));
    const first = await within(check, "empty", { limit_ms, abort });
    const spent = performance.now() - start;
    const empty = lookOf(first, "empty", limit_ms);
    if (empty.answer === "red" && spent < cheap_ms && !empty.wrote) {
      const again = await within(check, "empty", { limit_ms: left(), abort });
      return differs(again) ? { ...empty, answer: "cannot_tell", reason: CHANCE } : empty;
    }
    if (empty.answer !== "green") return empty;
    const bare = await within(check, "bare", { limit_ms: left(), abort });
    // Programs may have been exchanged since they were listed.
    if (bare.kind === "fault") bareFiles = undefined;
    if (bare.kind !== "ended") return empty;
    return { ...lookOf(bare, "bare", limit_ms), wrote: empty.wrote };
  };

  return async (check, abort) => look(check, abort).catch(notMade);
}

const CHANCE = "it was red in one run and green in another in the same empty world";

const differs = (end: WorldEnd): boolean => end.kind === "ended" && end.exit_code === 0;

function lookOf(end: WorldEnd, world: "empty" | "bare", limit_ms: number): ControlLook {
  const answer = answerOf(end, world);
  const code = end.kind === "ended" ? end.exit_code : null;
  const wrote = end.kind === "ended" && end.wrote;
  return { answer, world, exit_code: code, wrote, reason: sentenceOf(end, answer, limit_ms) };
}

const notMade = (error: unknown): ControlLook => ({
  ...{ answer: "not_possible", world: "empty", exit_code: null, wrote: false },
  reason: `no empty world can be made here: ${error instanceof Error ? error.message : String(error)}`,
});

const PROBE = { env: {}, directory: "/srv", masked: [], programs: [] };

/** Why no control is possible here, null when it is. The answer is kept. */
export function createControlProbe(runControl: RunControl): () => Promise<string | null> {
  let fault: Promise<string | null> | undefined;
  const ask = async () => {
    const { answer, reason } = await runControl({ ...PROBE, script: "exit 1" }, new AbortController().signal);
    return answer === "red" ? null : (reason ?? `a check that fails was ${answer}`);
  };
  return () => {
    fault ??= ask();
    return fault;
  };
}
