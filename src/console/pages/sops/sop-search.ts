// What the pages of procedures show, as their addresses hold it.
export const SOP_FILTERS = ["in_use", "waiting", "set_back", "unused"] as const;
export type SopFilter = (typeof SOP_FILTERS)[number];

export type WantedSops = { readonly q?: string | undefined; readonly status?: SopFilter | undefined };

export const SOP_TABS = ["steps", "compare", "runs"] as const;
export type SopTab = (typeof SOP_TABS)[number];

/** `to`: the version to compare with. */
type SopView = { readonly tab?: SopTab | undefined; readonly to?: string | undefined };

type Search = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const readSopFilter = ({ q, status }: Search): WantedSops => ({
  q: text(q),
  status: SOP_FILTERS.find((known) => known === status),
});

export const readSopView = ({ tab, to }: Search): SopView => ({
  tab: SOP_TABS.find((known) => known === tab),
  to: text(to),
});
