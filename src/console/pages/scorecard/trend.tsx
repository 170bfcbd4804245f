// Shows the trend by week: a curve with its uncertainty, one line that says a week in words, and the same numbers as a
// table.
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { OperationAnswer } from "../../operations.ts";
import { type TrendPoint, trendPoints } from "./measures-table.tsx";
import { intervalText, percent } from "./target-card.tsx";

const Chart = lazy(() => import("./trend-chart.tsx").then(({ TrendChart }) => ({ default: TrendChart })));

const WANTED = 0.95;

export function Trend({ rows }: { readonly rows: OperationAnswer<"get_scorecard">["rows"] }) {
  const points = useMemo(() => trendPoints(rows), [rows]);
  const figure = useRef<HTMLElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const shown = points[at ?? points.length - 1];
  return (
    <figure ref={figure} className="card trend">
      <figcaption className="card-head">
        <ul className="legend">
          <li>
            <span className="ink ink-true" /> True, of what was looked at
          </li>
          <li>
            <span className="ink ink-band" /> its interval
          </li>
          <li>
            <span className="ink ink-verified" /> Verified, of what is done
          </li>
          <li>
            <span className="ink ink-wanted" /> wanted: 95 %
          </li>
        </ul>
        <span className="ink-axis" />
        <span className="ink-grid" />
        <span className="ink-surface" />
      </figcaption>
      <div className="trend-room">
        <Suspense>
          <Chart points={points} wanted={WANTED} inks={figure} onPoint={setAt} />
        </Suspense>
      </div>
      <p className="trend-words number">{shown === undefined ? "" : weekInWords(shown)}</p>
      <details className="trend-table">
        <summary>The weeks as a table</summary>
        <TrendTable points={points} />
      </details>
    </figure>
  );
}

function weekInWords({ week, done, verified, refuted, true_part, lower, upper }: TrendPoint): string {
  if (done === 0) return `${week}: nothing was done`;
  if (true_part === null || lower === null || upper === null)
    return `${week}: ${done} done, none looked at from outside`;
  return `${week}: ${verified} of ${done} done are verified, ${refuted} refuted; true in ${percent(true_part)} (${intervalText(lower, upper)})`;
}

const TrendTable = ({ points }: { readonly points: readonly TrendPoint[] }) => (
  <div className="table-scroll">
    <table className="table">
      <thead>
        <tr>
          <th>Week</th>
          <th className="right">Done</th>
          <th className="right">Verified</th>
          <th className="right">Refuted</th>
          <th className="right">Verified, of done</th>
          <th className="right">True, of looked at</th>
          <th className="right">Interval</th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.week}>
            <th scope="row">{point.week}</th>
            <td className="right">{point.done}</td>
            <td className="right">{point.verified}</td>
            <td className="right">{point.refuted}</td>
            <td className="right">{point.verified_part === null ? "–" : percent(point.verified_part)}</td>
            <td className="right">{point.true_part === null ? "–" : percent(point.true_part)}</td>
            <td className="right">
              {point.lower === null || point.upper === null ? "–" : intervalText(point.lower, point.upper)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
