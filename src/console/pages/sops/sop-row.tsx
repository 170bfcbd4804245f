// One procedure: its key, the version in use with its record, and below it what waits for a decision.
import { Link } from "@tanstack/react-router";
import type { ListedSop } from "../../../operations/shapes/sops.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Level, RecordMark, SopStatus } from "../../parts/sop-marks.tsx";
import { isSetBack } from "../../parts/sop-standing.ts";
import { Sparkline } from "../../parts/sparkline.tsx";
import { Time } from "../../parts/time.tsx";
import type { SopKey } from "./sop-keys.ts";

type Weeks = readonly (number | null)[];

type Props = {
  readonly of: SopKey;
  /** Verified over DONE in each week; undefined where nothing is known. */
  readonly weeks: Weeks | undefined;
  readonly approvalOf: (sop_id: string) => string | undefined;
};

const inWords = (weeks: Weeks): string =>
  `Verified of done in each of the last ${weeks.length} weeks: ${weeks.map((value) => (value === null ? "no run" : `${Math.round(value * 100)} %`)).join(", ")}`;

export function SopRow({ of: { intent, target_signature, shown, waiting, versions }, weeks, approvalOf }: Props) {
  return (
    <li>
      <Link to="/sops/$sop_id" params={{ sop_id: shown.sop_id }} className="list-row sop-row">
        <span className="sop-name">
          <strong>{intent}</strong>
          <InlineCode text={target_signature === "" ? "no target" : target_signature} />
        </span>
        <span className="sop-state">
          <SopStatus sop={shown} />
          <span className="row">
            <span className="muted small number">
              v{shown.version} of {versions}
            </span>
            <Level sop={shown} />
          </span>
        </span>
        <span className="sop-record">
          <RecordMark sop={shown} />
        </span>
        <span className="sop-weeks">{weeks !== undefined && <Sparkline values={weeks} label={inWords(weeks)} />}</span>
        <span className="sop-last muted small">
          {shown.last_success_at === null ? (
            "Never succeeded"
          ) : (
            <>
              Succeeded <Time at={shown.last_success_at} />
            </>
          )}
        </span>
      </Link>
      {waiting.map((sop) => (
        <Waits key={sop.sop_id} sop={sop} is_shown={sop.sop_id === shown.sop_id} approval_id={approvalOf(sop.sop_id)} />
      ))}
    </li>
  );
}

type Waiting = {
  readonly sop: ListedSop;
  /** It is the version in the row above. */
  readonly is_shown: boolean;
  readonly approval_id: string | undefined;
};

function Waits({ sop, is_shown, approval_id }: Waiting) {
  const what = isSetBack(sop) ? "was set back and asks to be used again" : "waits for its promotion";
  return (
    <div className="sop-waits" data-tone={isSetBack(sop) ? "bad" : "ask"}>
      <span>{is_shown && !isSetBack(sop) ? "No version is in use" : `Version ${sop.version} ${what}`}</span>
      {approval_id === undefined ? (
        <Link to="/sops/$sop_id" params={{ sop_id: sop.sop_id }}>
          Show it
        </Link>
      ) : (
        <Link to="/approvals/$approval_id" params={{ approval_id }}>
          Review version {sop.version}
        </Link>
      )}
    </div>
  );
}
