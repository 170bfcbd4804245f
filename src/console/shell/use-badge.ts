// The icon of the tab, with a dot while something waits.
import { useEffect } from "react";

const DOT = '<circle cx="24" cy="8" r="7" fill="#c47a00"/>';

const icon = (waits: boolean): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none"><circle cx="16" cy="16" r="12" stroke="#5068d8" stroke-width="3.5"/><path d="m10.500 16.500 4 4 7-8" stroke="#5068d8" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round"/>${waits ? DOT : ""}</svg>`,
  )}`;

export function useBadge(waiting: number): void {
  const waits = waiting > 0;
  useEffect(() => {
    document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", icon(waits));
  }, [waits]);
}
