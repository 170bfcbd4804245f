// The two statements on a check in one line: what it is worth, and whether its answer changed (D-193).
import type { CheckProof } from "./proof.ts";

type Worth = {
  readonly proof: CheckProof["class"] | null;
  readonly seen_red: CheckProof["seen_red"] | null;
  readonly change: CheckProof["change"] | null;
};

/** `proof` is null where nothing was looked at. */
export function checkWorth({ proof, seen_red, change }: Worth): string {
  if (proof === null) return "not looked at";
  const seen = seen_red === null || seen_red.length === 0 ? "never seen to fail" : `seen red: ${seen_red.join(", ")}`;
  return [proof.replaceAll("_", " "), seen, (change ?? "not_looked_at").replaceAll("_", " ")].join("; ");
}
