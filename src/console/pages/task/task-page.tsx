// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function TaskPage() {
  useTitle("Task");
  return <h1>Task</h1>;
}
