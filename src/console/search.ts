// Reads what the pages show from their addresses. Anything else in an address is as if it was not there.
import type { Input } from "./operations.ts";

type Search = Readonly<Record<string, unknown>>;

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const WEEKS = [4, 8, 13, 26, 53] as const;
export const BYS = ["sop", "target", "intent"] as const;
export const GROUPS = ["agent", "teach", "known", "skill", "update"] as const;

export type By = (typeof BYS)[number];
type Group = (typeof GROUPS)[number];

export type ScorecardFilter = {
  readonly weeks?: number | undefined;
  readonly by?: By | undefined;
  readonly group?: Group | undefined;
};

const WEEKS_SHOWN = 8;

export const readScorecardFilter = ({ weeks, by, group }: Search): ScorecardFilter => ({
  weeks: WEEKS.find((known) => known === weeks),
  by: BYS.find((known) => known === by),
  group: GROUPS.find((known) => known === group),
});

export const scorecardInput = (
  { weeks = WEEKS_SHOWN, group }: ScorecardFilter,
  by: By | "week",
): Input<"get_scorecard"> => ({ weeks, by, group });

export const SOP_FILTERS = ["in_use", "waiting", "set_back", "unused"] as const;
export type SopFilter = (typeof SOP_FILTERS)[number];

export type WantedSops = { readonly q?: string | undefined; readonly status?: SopFilter | undefined };

export const SOP_TABS = ["steps", "compare", "runs"] as const;
export type SopTab = (typeof SOP_TABS)[number];

/** `to`: the version to compare with. */
type SopView = { readonly tab?: SopTab | undefined; readonly to?: string | undefined };

export const readSopFilter = ({ q, status }: Search): WantedSops => ({
  q: text(q),
  status: SOP_FILTERS.find((known) => known === status),
});

export const readSopView = ({ tab, to }: Search): SopView => ({
  tab: SOP_TABS.find((known) => known === tab),
  to: text(to),
});

const LOOKS = ["none", "true", "false"] as const;

export type TaskSearch = {
  readonly status?: string | undefined;
  readonly intent?: string | undefined;
  readonly q?: string | undefined;
  /** Whether a look from outside agreed; "none": there was no look. */
  readonly verified?: (typeof LOOKS)[number] | undefined;
};

export const readTaskFilter = ({ status, intent, q, verified }: Search): TaskSearch => ({
  status: text(status),
  intent: text(intent),
  q: text(q),
  verified: LOOKS.find((known) => known === verified),
});

const TASK_TABS = ["run", "graph", "agent", "journal"] as const;
export type TaskTab = (typeof TASK_TABS)[number];

export const readTaskView = ({ tab }: Search): { readonly tab?: TaskTab | undefined } => ({
  tab: TASK_TABS.find((known) => known === tab),
});

type TeachSearch = {
  readonly task_id?: string | undefined;
  readonly sop_id?: string | undefined;
  /** With `target`, the signature: the version in use of this key. */
  readonly intent?: string | undefined;
  readonly target?: string | undefined;
};

/** The empty target has the empty signature. */
export const readTeachSearch = ({ task_id, sop_id, intent, target }: Search): TeachSearch => ({
  task_id: text(task_id),
  sop_id: text(sop_id),
  intent: text(intent),
  target: typeof target === "string" ? target : undefined,
});
