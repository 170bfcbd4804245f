// The list of tasks, scrolled from its first row to its last in a real browser.
import type { Page } from "playwright-core";
import { z } from "zod";

const Scrolled = z.object({ longest_ms: z.number(), took_ms: z.number(), said: z.string(), most_rows: z.number() });

/** Runs in the page: scrolls on as soon as the last frame is drawn, until every task was read. */
const SCROLL = `(async () => {
  let longest_ms = 0;
  let most_rows = 0;
  const watch = (list) => {
    for (const { duration } of list.getEntries()) longest_ms = Math.max(longest_ms, duration);
  };
  const observer = new PerformanceObserver(watch);
  observer.observe({ type: "longtask" });
  const begun = performance.now();
  const said = () => document.querySelector(".task-list + [role=status]").textContent;
  while (!/in all/.test(said()) && performance.now() - begun < 240000) {
    scrollBy(0, 4000);
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    most_rows = Math.max(most_rows, document.querySelectorAll(".task-row").length);
  }
  observer.disconnect();
  return { longest_ms, took_ms: performance.now() - begun, said: said(), most_rows };
})()`;

/** `longest_ms`: of the tasks of the browser above 50 ms; below that none is counted, and nothing is felt. */
export async function scrollTasks(page: Page): Promise<z.infer<typeof Scrolled>> {
  await page.locator(".task-row").first().waitFor();
  return Scrolled.parse(await page.evaluate(SCROLL));
}
