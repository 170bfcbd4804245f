// Not built yet.
import { useTitle } from "../../parts/use-title.ts";

export function TeachPage() {
  useTitle("Teach");
  return <h1>Teach</h1>;
}
