// orch scorecard: whether the targets of the service are met. Exit code 1 when one is missed, for cron and CI.
import { z } from "zod";
import { type CommandContext, command } from "../../cli/context.ts";
import { EXIT } from "../../cli/failure.ts";
import { cut, fitTable } from "../../cli/fit-table.ts";
import type { Out } from "../../cli/out.ts";
import { indented, painted } from "../../cli/text-format.ts";
import { counted, printable, span } from "../../domain/printable.ts";
import { getScorecard, rebuildScorecard } from "./shapes.ts";

const Given = z.object({
  by: z.string().optional(),
  weeks: z.string().optional(),
  group: z.string().optional(),
  intent: z.string().optional(),
  rebuild: z.boolean().default(false),
});

export const scorecard = command(Given, async (context, { rebuild, ...query }) => {
  const { call, out } = context;
  if (rebuild) await rebuildAll(context);
  const result = await call(getScorecard, query);
  const { targets, behind } = result;
  out.answer(result, () => scorecardLines(result, query.by ?? "week", out));
  if (behind > 0) out.note(`${behind} events are not counted yet; ask again.`);
  return targets.some(({ state }) => state === "missed") ? EXIT.not_ok : EXIT.done;
});

/** Resolves once every journal is counted. */
async function rebuildAll({ call }: Pick<CommandContext, "call">): Promise<void> {
  const result = await call(rebuildScorecard, {});
  let { behind } = result;
  while (behind > 0) {
    const looked = await call(getScorecard, { weeks: "1" });
    behind = looked.behind;
  }
}

// The scorecard as text: each target with its state, then the groups, the rows that were asked for, and what can be worked off.

type Scorecard = z.infer<typeof getScorecard.output>;
type Row = Scorecard["rows"][number];

const MARKS = { met: "✓", missed: "✗", unproven: "?" } as const;
const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const SHOWN = 20;

export function scorecardLines(scorecard: Scorecard, by: string, out: Out): string[] {
  const { targets, groups, rows, left_out, sops, debt, repeated, anchor } = scorecard;
  const more = left_out > 0 ? [`${left_out} more with less at stake`] : [];
  const waiting = sops.oldest_candidate_at === null ? "" : `, the oldest since ${sops.oldest_candidate_at}`;
  return [
    ...targets.flatMap((target) => targetLines(target, out)),
    "",
    ...rowTable("GROUP", groups, out),
    "",
    ...rowTable(by.toUpperCase(), rows.slice(0, SHOWN), out),
    ...more,
    "",
    printable(`${sops.active} procedures in use, ${sops.candidates} candidates${waiting}`),
    ...debt
      .slice(0, 5)
      .map(({ about, unverified, oldest_week }) =>
        printable(`not looked at from outside: ${unverified} DONE of ${about}, since ${oldest_week}`),
      ),
    ...repeated
      .slice(0, 5)
      .map(({ about, taught, turned_down }) =>
        printable(`taught again: ${about}, ${taught} times, ${turned_down} versions rejected`),
      ),
    ...anchorLines(anchor),
  ];
}

/** A line of the file of roots: who keeps what is printed here has noted it. */
const anchorLines = (anchor: Scorecard["anchor"]): string[] =>
  anchor === null
    ? []
    : [`anchored: ${counted(anchor.threads, "journal")}, whose root is`, `${anchor.day} ${anchor.root}`];

function targetLines(
  { id, state, wanted, message, worst }: Scorecard["targets"][number],
  { paint, width }: Out,
): string[] {
  const head = `${painted(paint, state, `${MARKS[state]} ${id} ${state}`)}  ${printable(wanted)}`;
  const [first] = state === "missed" ? worst : [];
  const mend = first === undefined ? "" : ` Worst: ${first.about} (${first.count}): ${first.operation}.`;
  return [head, ...indented(`${message}${mend}`, width)];
}

function rowTable(title: string, rows: readonly Row[], { width }: Out): string[] {
  if (rows.length === 0) return [`${title}: nothing was counted`];
  const columns = [
    cut(title),
    ...["TASKS", "DONE", "UNSEEN", "VERIFIED", "FALSE", "TRUE", "ASKED", "BROKEN", "P50", "WEEKS"],
  ];
  return fitTable(columns, rows.map(cellsOf), width);
}

const cellsOf = (row: Row): string[] => [
  printable(row.of),
  ...[row.tasks, row.done, row.done_unseen, row.verified, row.refuted].map(String),
  row.verified + row.refuted === 0 ? "-" : `${whole(row.lower)}..${whole(row.upper)} %`,
  row.intervention === null ? "-" : `${whole(row.intervention)} %`,
  String(row.broken),
  row.took_p50_ms === null ? "-" : span(row.took_p50_ms),
  spark(row.by_week),
];

const whole = (ratio: number): number => Math.round(100 * ratio);

/** The verified part of DONE, week by week; a dot for a week without one. */
const spark = (ratios: readonly (number | null)[]): string =>
  ratios.map((ratio) => (ratio === null ? "·" : (BARS[Math.round(ratio * (BARS.length - 1))] ?? "·"))).join("");
