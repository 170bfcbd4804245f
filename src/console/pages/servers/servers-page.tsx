// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function ServersPage() {
  useTitle("Servers");
  return <h1>Servers</h1>;
}
