// In which order a person is asked: by what is at risk, and of equal risk by age (D-356).

/** Worst first. An approval is as risky as what a yes to it would do. */
export const INBOX_RISKS = [
  "outcome_unknown",
  "set_back",
  "changes",
  "cannot_tell",
  "looks",
  "nothing_runs",
  "unverified",
] as const;
type InboxRisk = (typeof INBOX_RISKS)[number];

type Waiting = {
  readonly risk: InboxRisk;
  readonly since: string;
  /** Of an approval: when it is refused by itself. */
  readonly expires_at: string | null;
};

const SOON_MS = 3_600_000;

/** It is refused by itself within the hour. */
export const expiresSoon = ({ expires_at }: Pick<Waiting, "expires_at">, now_ms: number): boolean =>
  expires_at !== null && Date.parse(expires_at) - now_ms <= SOON_MS;

/** What policy cannot tell may change something, so both are asked alike. */
const RANKS: Readonly<Record<InboxRisk, number>> = {
  outcome_unknown: 0,
  set_back: 2,
  changes: 3,
  cannot_tell: 3,
  looks: 4,
  nothing_runs: 5,
  unverified: 6,
};
/** What expires soon is answered now or not at all. Only a step that may have taken effect goes before it. */
const EXPIRES_SOON = 1;

const rankOf = (item: Waiting, now_ms: number): number =>
  expiresSoon(item, now_ms) ? Math.min(EXPIRES_SOON, RANKS[item.risk]) : RANKS[item.risk];

/** Riskiest first, then oldest. */
export const inRiskOrder = <T extends Waiting>(items: readonly T[], now_ms: number): T[] =>
  items.toSorted((a, b) => rankOf(a, now_ms) - rankOf(b, now_ms) || Date.parse(a.since) - Date.parse(b.since));
