// Groups, procedures, targets or intents as rows: no number of done tasks without how many of them were verified [8.target.R1].
import type { ReactNode } from "react";
import type { OperationAnswer } from "../../operations.ts";
import { RatioBand, Sparkline } from "../../parts/sparkline.tsx";
import { duration } from "../../parts/text.ts";
import { ROW } from "../../parts/use-keys.ts";
import { intervalText } from "./target-card.tsx";

export type MeasuresRow = OperationAnswer<"get_scorecard">["rows"][number];

const COLUMNS: readonly (readonly [title: string, means: string])[] = [
  ["Tasks", "that have ended"],
  ["Done", "as orch calls them"],
  ["Verified", "of done: a look from outside agreed"],
  ["Refuted", "of done: a look from outside disagreed"],
  ["Not looked at", "of done"],
  ["True", "of what was looked at, with its interval at 95 %"],
  ["Asked", "part of the tasks that asked anything"],
  ["Half took", "half of the tasks took at most this"],
  ["Weeks", "the verified part of done, week by week"],
];

type Props = {
  readonly title: string;
  readonly label: string;
  readonly rows: readonly MeasuresRow[];
  readonly nameOf: (row: MeasuresRow) => ReactNode;
  /** Columns that these rows have no numbers for. */
  readonly without?: readonly string[];
};

export const MeasuresTable = ({ title, label, rows, nameOf, without = [] }: Props) => (
  <div className="card table-scroll">
    <table className="table measures" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {COLUMNS.filter(([name]) => !without.includes(name)).map(([name, means]) => (
            <th key={name} scope="col" title={means} className={name === "True" || name === "Weeks" ? "" : "right"}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.of} ${row.sop_id}`} row={row} name={nameOf(row)} without={without} />
        ))}
      </tbody>
    </table>
  </div>
);

type RowProps = { readonly row: MeasuresRow; readonly name: ReactNode; readonly without: readonly string[] };

function Row({ row, name, without }: RowProps) {
  const { tasks, done, verified, refuted, unverified, lower, upper, intervention, took_p50_ms, by_week } = row;
  const looked = verified + refuted;
  return (
    <tr {...ROW}>
      <th scope="row">{name}</th>
      <Cell of="Tasks">{tasks}</Cell>
      <Cell of="Done">{done}</Cell>
      <Cell of="Verified">{verified}</Cell>
      <Cell of="Refuted">{refuted > 0 ? <strong className="cost">{refuted}</strong> : refuted}</Cell>
      <Cell of="Not looked at">{unverified}</Cell>
      <td data-of="True">
        {looked === 0 ? (
          <span className="muted">–</span>
        ) : (
          <span className="measured">
            <RatioBand lower={lower} upper={upper} value={verified / looked} wanted={0.95} />
            <span className="number small">{intervalText(lower, upper)}</span>
          </span>
        )}
      </td>
      <Cell of="Asked">{intervention === null ? "–" : `${Math.round(intervention * 100)} %`}</Cell>
      {!without.includes("Half took") && (
        <Cell of="Half took">{took_p50_ms === null ? "–" : duration(took_p50_ms)}</Cell>
      )}
      <td data-of="Weeks">
        <Sparkline values={by_week} label={weeksText(by_week)} />
      </td>
    </tr>
  );
}

const Cell = ({ of, children }: { readonly of: string; readonly children: ReactNode }) => (
  <td className="right" data-of={of}>
    {children}
  </td>
);

function weeksText(by_week: readonly (number | null)[]): string {
  const values = by_week.map((ratio) => (ratio === null ? "none done" : `${Math.round(ratio * 100)} %`));
  return `Verified, oldest week first: ${values.join(", ")}`;
}

// The weeks as points of a curve: how much of what is done was verified, and how much of what was looked at was true.

export type TrendPoint = {
  readonly week: string;
  /** "W41", with the year in the first week of one. */
  readonly name: string;
  readonly done: number;
  readonly verified: number;
  readonly refuted: number;
  /** Verified over done; null without anything done. */
  readonly verified_part: number | null;
  /** Verified over looked at, with its interval; null where there was no look. */
  readonly true_part: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
};

export const trendPoints = (rows: readonly MeasuresRow[]): TrendPoint[] =>
  rows.map(({ of: week, done, verified, refuted, lower, upper }) => {
    const looked = verified + refuted;
    return {
      week,
      name: week.endsWith("W01") ? week : week.slice(5),
      done,
      verified,
      refuted,
      verified_part: done === 0 ? null : verified / done,
      true_part: looked === 0 ? null : verified / looked,
      ...(looked === 0 ? { lower: null, upper: null } : { lower, upper }),
    };
  });
