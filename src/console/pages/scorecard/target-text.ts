// What each target is called, its rule in a sentence, and how its figure reads. The specification's own words are the server's.
import type { OperationAnswer } from "../../typed-operations.ts";

export type ShownTarget = OperationAnswer<"get_scorecard">["targets"][number];
type TargetId = ShownTarget["id"];

export type TargetText = {
  readonly title: string;
  readonly rule: string;
  readonly unit: "ratio" | "count" | "change";
  /** What the figure has to reach, where that is a number. */
  readonly wanted: number | null;
  /** The figure can only grow: by what was not looked at. */
  readonly is_open?: true;
};

export const TARGET_TEXTS: Readonly<Record<TargetId, TargetText>> = {
  T1: {
    title: "Verified success",
    unit: "ratio",
    wanted: 0.95,
    is_open: true,
    rule: "At least 95 % of what is called done is confirmed by a look from outside.",
  },
  T2: {
    title: "Broken promises",
    unit: "count",
    wanted: 0,
    rule: "No step runs unapproved, out of scope, although it is blocked, or twice; no journal is changed.",
  },
  T3: {
    title: "Taught tasks",
    unit: "ratio",
    wanted: 0.9,
    rule: "At least 90 % of the tasks that may be taught end as done.",
  },
  T4: {
    title: "Carried to the end",
    unit: "ratio",
    wanted: null,
    rule: "Not a lower part of the tasks than the week before is carried to its end without work handed back.",
  },
  T5: {
    title: "Growth in new areas",
    unit: "ratio",
    wanted: 0.3,
    rule: "On new targets, at least three procedures become active for ten tasks without one.",
  },
  T6: {
    title: "Fewer questions",
    unit: "change",
    wanted: 0.2,
    rule: "At least 20 % fewer questions a task than in the four full weeks before the last four.",
  },
};

export const percent = (ratio: number): string => `${Math.round(ratio * 1_000) / 10} %`;

const whole = (ratio: number): string => `${Math.round(ratio * 100)} %`;

const SAME = 0.0005;

/** "83.3 %", "2", "31 % fewer"; a dash where nothing was counted. */
export function figureOf({ id, value }: Pick<ShownTarget, "id" | "value">): string {
  if (value === null) return "–";
  const { unit } = TARGET_TEXTS[id];
  if (unit === "count") return String(value);
  if (unit === "ratio") return percent(value);
  return Math.abs(value) < SAME ? "no change" : changeOf(value, percent);
}

const changeOf = (less: number, text: (ratio: number) => string): string =>
  less >= 0 ? `${text(less)} fewer` : `${text(-less)} more`;

/** "84 % to 91 %", as whole parts: more digits would claim more than is known. */
export const intervalText = (lower: number, upper: number): string => `${whole(lower)} to ${whole(upper)}`;

export const changeText = (lower: number, upper: number): string =>
  `${changeOf(lower, whole)} to ${changeOf(upper, whole)}`;

/** A procedure as the server names it in a list: `deploy on "service=web" v3`, or `deploy|service=web v3`. */
export function procedureIn(about: string): { readonly intent: string; readonly target: string } | null {
  const [, intent, target] = /(?:^|: )(\w+) on "(.*)"/.exec(about) ?? /^(\w+)\|(.*?)(?: v\d+)?$/.exec(about) ?? [];
  return intent === undefined || target === undefined ? null : { intent, target };
}
