// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function GraphPage() {
  useTitle("Graph");
  return <h1>Graph</h1>;
}
