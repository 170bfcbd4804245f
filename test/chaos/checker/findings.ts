// Everything that is wrong with a history. An honest run has no finding.
import { breakOf } from "./chain.ts";
import { counterFindings } from "./counters.ts";
import type { Bundle, Finding, History } from "./history.ts";
import { findingOf, journalBreaches } from "./journals.ts";
import { messageFindings } from "./messages.ts";

const ENDED = ["ok", "failed", "blocked", "cancelled"];
const ASKS = ["need_input", "need_approval"];

export function findingsOf(history: History): Finding[] {
  return [
    ...repeatedSteps(history),
    ...wrongEffects(history),
    ...lostTasks(history),
    ...history.bundles.flatMap(chainFindings),
    ...history.bundles.filter(({ task_id }) => !history.cut.has(task_id)).flatMap(ruleFindings),
    ...messageFindings(history),
    ...counterFindings(history),
    ...forgottenPromotions(history),
    ...history.leftovers.map((text) => ({ kind: "leftover process", task_id: null, text })),
  ];
}

const timesOf = (texts: readonly string[]): Map<string, number> => {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
};

/** A mark more than once, except where the supervisor had the step repeated, or its start was removed from the journal. */
function repeatedSteps({ marks, licences, cut }: History): Finding[] {
  const licensed = timesOf(licences);
  return [...timesOf(marks)].flatMap(([mark, times]) => {
    const [task_id = "", step = ""] = mark.split(".");
    const allowed = 1 + (licensed.get(`${task_id}.${step}`) ?? 0);
    if (times <= allowed || cut.has(task_id)) return [];
    return [{ kind: "step run twice", task_id, text: `the mark ${mark} is there ${times} times, allowed: ${allowed}` }];
  });
}

/** More than one effect, also after a `retry`, or none of a task that is done. */
function wrongEffects({ effects, tasks, cut }: History): Finding[] {
  const done = new Set(tasks.flatMap(({ task_id, outcome }) => (outcome?.reason_code === "verified" ? [task_id] : [])));
  return [...effects].flatMap(([task_id, times]) => {
    if (times === 1 || (times === 0 && !done.has(task_id)) || cut.has(task_id)) return [];
    const kind = times === 0 ? "effect missing" : "effect twice";
    return [{ kind, task_id, text: `the server that lost its answer has acted ${times} times` }];
  });
}

/** How often a step ran again after `retry` although it had had its effect: orch asked before the step had ended. */
export const repeatedByLicence = ({ marks, licences }: History): number => {
  const licensed = new Set(licences);
  return [...timesOf(marks)].filter(([mark, times]) => times > 1 && licensed.has(mark.split(".").slice(0, 2).join(".")))
    .length;
};

function lostTasks({ accepted, tasks, bundles, cut }: History): Finding[] {
  const listed = new Map(tasks.map((task) => [task.task_id, task]));
  const bundled = new Set(bundles.map(({ task_id }) => task_id));
  return [...accepted].flatMap(([task_id, may_end]) => {
    const task = listed.get(task_id);
    const finding = (text: string) => [{ kind: "lost", task_id, text }];
    if (task === undefined) return finding("it was accepted and is not listed");
    if (!bundled.has(task_id)) return finding("it has no evidence");
    const { status, outcome } = task;
    if (ASKS.includes(status)) return [];
    if (!ENDED.includes(status)) return finding(`it is left ${status}`);
    const end = `${status}/${outcome?.reason_code}`;
    if (may_end.includes(end) || cut.has(task_id)) return [];
    const text = `it ended ${end} (${outcome?.message}), and may end ${may_end.join(", ")}`;
    return [{ kind: "wrong end", task_id, text }];
  });
}

function chainFindings({ task_id, journal, status }: Bundle): Finding[] {
  const broken = breakOf(task_id, journal);
  const ends = journal.filter(({ kind, body }) => kind === "reported" && ENDED.includes(String(body["status"])));
  return [
    ...(broken === null ? [] : [{ kind: "unverifiable", task_id, text: `its chain is broken: ${broken}` }]),
    ...(ends.length > 1 ? [{ kind: "wrong end", task_id, text: `it ended ${ends.length} times` }] : []),
    ...(ENDED.includes(status) && ends.length === 0
      ? [{ kind: "wrong end", task_id, text: `it is ${status}, and its journal has no end` }]
      : []),
  ];
}

/** The chain is judged above. */
const ruleFindings = ({ journal }: Bundle): Finding[] =>
  journalBreaches(journal)
    .filter(({ rule }) => rule !== "chain")
    .map(findingOf);

function forgottenPromotions({ sops, asked_promotions }: History): Finding[] {
  return sops
    .filter(({ sop_id, status }) => status === "candidate" && !asked_promotions.includes(sop_id))
    .map(({ sop_id, origin }) => ({
      kind: "lost",
      task_id: origin,
      text: `SOP ${sop_id} is a candidate, and no promotion asks for it`,
    }));
}
