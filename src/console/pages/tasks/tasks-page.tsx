// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function TasksPage() {
  useTitle("Tasks");
  return <h1>Tasks</h1>;
}
