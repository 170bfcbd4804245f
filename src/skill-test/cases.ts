// What every skill keeps, as cases: it ends its task in words, changes nothing before it may, and a task that is stopped or
// cancelled after any commit, or stopped within a call, has changed nothing twice.
import type { SkillTest } from "./skill-test.ts";
import { type How, type Trial, type Trials, tryTask } from "./trial.ts";
import {
  askFault,
  cancelledFault,
  caseFault,
  endFault,
  type Failing,
  outsideFault,
  rejectedFault,
  repeatFault,
  stoppedFault,
  wrongFault,
} from "./trial-faults.ts";

export type TrialCase = {
  readonly title: string;
  /** Null when it holds. */
  readonly run: () => Promise<Failing | null>;
};

const UNTRIED = "Stops and cancellations are not tried until it does.";

/** The first task runs at once: how many commits and calls it makes says how often it can be stopped. */
export async function casesOf(test: SkillTest, trials: Trials): Promise<TrialCase[]> {
  const first = await tryTask(trials);
  const trying = (title: string, how: How, judge: (trial: Trial) => Failing | null): TrialCase => ({
    title,
    run: async () => judge(await tryTask(trials, how)),
  });
  const end = endFault(test, first);
  // What is stopped is compared with what was not.
  const moments = <T>(all: readonly T[]) => (end === null ? all.map((what, at) => ({ number: at + 1, what })) : []);
  const commits = moments(first.commits);
  const scoped = first.evidence.contract.constraints.implicit_scope.length > 0;
  return [
    { title: "a task ends as expected", run: async () => end && { ...end, fix: `${end.fix} ${UNTRIED}` } },
    ...(first.status === "ok"
      ? [
          { title: "an approval is asked for, or is not", run: async () => askFault(test, first) },
          { title: 'a step with "repeat" only reads', run: async () => repeatFault(first) },
        ]
      : []),
    ...(test.asks ? [trying("a rejected task changes nothing", { decision: "reject" }, rejectedFault)] : []),
    ...(scoped
      ? [trying("outside its scope it is blocked", { task: { implicit_scope: ["elsewhere"] } }, outsideFault)]
      : []),
    ...(test.wrong ?? []).map(({ field, payload }) =>
      trying(`it names ${field} as wrong in ${JSON.stringify(payload)}`, { task: { payload } }, (trial) =>
        wrongFault(field, trial),
      ),
    ),
    ...(test.cases ?? []).map(({ title, task, decision, ...end }) =>
      trying(title, { task, ...(decision !== undefined && { decision }) }, (trial) => caseFault(end, trial)),
    ),
    ...commits.map(({ number: after, what }) =>
      trying(
        `stopped after commit ${after} (${what}), it ends as if it had not been`,
        { after, act: "stop" },
        (trial) => stoppedFault(test, trial),
      ),
    ),
    ...moments(first.calls).map(({ number: in_call, what: { tool } }) =>
      trying(
        `stopped when call ${in_call} that changes something (${tool}) is done and not answered, it ends as if it had not been`,
        { in_call, act: "stop" },
        (trial) => stoppedFault(test, trial),
      ),
    ),
    ...commits.map(({ number: after, what }) =>
      trying(
        `cancelled after commit ${after} (${what}), it changes nothing more`,
        { after, act: "cancel" },
        cancelledFault,
      ),
    ),
  ];
}
