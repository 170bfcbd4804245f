// What the addresses of the pages of tasks say.

const LOOKS = ["none", "true", "false"] as const;

export type TaskSearch = {
  readonly status?: string | undefined;
  readonly intent?: string | undefined;
  readonly q?: string | undefined;
  /** Whether a look from outside agreed; "none": there was no look. */
  readonly verified?: (typeof LOOKS)[number] | undefined;
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const readTaskFilter = ({ status, intent, q, verified }: Record<string, unknown>): TaskSearch => ({
  status: text(status),
  intent: text(intent),
  q: text(q),
  verified: LOOKS.find((known) => known === verified),
});

const TASK_TABS = ["run", "graph", "agent", "journal"] as const;
export type TaskTab = (typeof TASK_TABS)[number];

export const readTaskView = ({ tab }: Record<string, unknown>): { readonly tab?: TaskTab | undefined } => ({
  tab: TASK_TABS.find((known) => known === tab),
});
