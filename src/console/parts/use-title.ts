// The title of the window, with the number of what waits.
import { useEffect } from "react";
import { createSignal, useSignal } from "../live/signal.ts";

export const waitingCount = createSignal(0);

export function useTitle(page: string): void {
  const waiting = useSignal(waitingCount);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${page} · orch`;
  }, [page, waiting]);
}
