// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function ApprovalPage() {
  useTitle("Approval");
  return <h1>Approval</h1>;
}
