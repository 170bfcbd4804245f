// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function ScorecardPage() {
  useTitle("Scorecard");
  return <h1>Scorecard</h1>;
}
