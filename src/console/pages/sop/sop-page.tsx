// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function SopPage() {
  useTitle("Procedure");
  return <h1>Procedure</h1>;
}
