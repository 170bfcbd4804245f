// Formats the figures that both kinds of `orch eval` print.
import type { Latency, Tally } from "../../tools/eval/figures.ts";
import { span } from "../text-format.ts";

/** `, 93.3 %`; empty for null. */
export const percent = (share: number | null): string => (share === null ? "" : `, ${(share * 100).toFixed(1)} %`);

export const latencyText = (latency: Latency | null): string =>
  latency === null
    ? "none"
    : `median ${span(latency.median_ms)}, 95 % within ${span(latency.p95_ms)}, at most ${span(latency.max_ms)}`;

export const tallyText = (tally: Tally): string =>
  tally.length === 0 ? "none" : tally.map(({ reason, count }) => `${reason} ${count}`).join(", ");
