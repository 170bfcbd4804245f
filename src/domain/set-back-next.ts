// What the supervisor may do about a version that was set back, or that fails and stays in use (D-294).
import { call, type NextAction, nextByReason } from "./next-action.ts";
import type { SetBack } from "./set-back.ts";

/** The evidence of all runs would be a list that hides what there is to decide. */
const MOST_NAMED = 3;

const look = (tasks: readonly string[]): NextAction[] =>
  tasks
    .slice(0, MOST_NAMED)
    .map((task_id) => call("get_evidence", { task_id }, `Look at what was done in task ${task_id}.`));

const goBack = (earlier: SetBack["earlier"]): NextAction[] =>
  earlier === null
    ? []
    : [call("rollback_sop", { sop_id: earlier.sop_id }, `Or have the steps of version ${earlier.version} used again.`)];

/** The evidence first: what is decided on follows from it. */
export function nextOfSetBack(thread_id: string, approval_id: string, set_back: SetBack): NextAction[] {
  const { refutations, failures, earlier } = set_back;
  const tasks = [...refutations, ...failures].map(({ task_id }) => task_id);
  const decide = nextByReason("sop_set_back", { thread_id, approval_id, step_index: null });
  return [...look([...new Set(tasks)]), ...decide, ...goBack(earlier)];
}

type Failing = { readonly tasks: readonly string[]; readonly earlier: SetBack["earlier"] };

export const nextOfFailing = ({ tasks, earlier }: Failing): NextAction[] => [
  ...look(tasks),
  ...nextByReason("sop_failing", { thread_id: "", approval_id: null, step_index: null }),
  ...goBack(earlier),
];
