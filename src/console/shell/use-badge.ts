// The icon of the tab, with the number of what waits.
import { useEffect } from "react";
import { iconWith } from "./icon-with.ts";

export function useBadge(waiting: number): void {
  const href = iconWith(waiting);
  useEffect(() => {
    document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", href);
  }, [href]);
}
