// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function SopsPage() {
  useTitle("Procedures");
  return <h1>Procedures</h1>;
}
