// A plan that waits for a yes, and how a human gives it on its page.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Tab } from "../../support/browser.ts";
import { contractBody } from "../../support/builders.ts";
import type { OrchProcess } from "../../support/orch-process.ts";

export const untilStatus = async ({ get }: OrchProcess, task_id: string, status: string) => {
  for (let n = 0; n < 400; n++) {
    const { body } = await get(`/v1/tasks/${task_id}`);
    if (body.status === status) return body;
    await sleep(50);
  }
  throw new Error(`${task_id} does not become ${status}`);
};

const LAST_STEP = { kind: "check", value: "test -d /" };

/** A task whose plan waits for a yes, with more steps than a phone shows at once. Resolves with its approval. */
export async function aPlanToApprove(server: OrchProcess, task_id: string, first = `touch ${task_id}`) {
  const target = { service: task_id, host: "nas" };
  const contract = contractBody({ task_id, intent: "restart", target, success_criteria: [] });
  await server.post("/v1/tasks", { ...contract, wait_seconds: 20 });
  const steps = [{ kind: "cmd", value: first }, ...Array.from({ length: 5 }, () => LAST_STEP)];
  const lesson = { task_id, steps, safety_level: "approval_required", wait_seconds: 20 };
  const taught = await server.post("/v1/teach", lesson);
  expect(taught.status, JSON.stringify(taught.body)).toBe(200);
  await untilStatus(server, task_id, "need_approval");
  const { body } = await server.get(`/v1/approvals?thread_id=${task_id}`);
  return body.approvals[0];
}

export const decision = (page: Page) => page.locator(".decision");

export const scrollToEnd = async (page: Page) => {
  await decision(page).waitFor();
  for (let n = 0; n < 200 && !(await decision(page).getByText("You have seen all of it.").isVisible()); n++) {
    await page.keyboard.press("PageDown");
    await page.evaluate("new Promise((shown) => requestAnimationFrame(() => setTimeout(shown, 20)))");
  }
};

export const askToApprove = async ({ page }: Tab) => {
  await scrollToEnd(page);
  await page.keyboard.press("a");
  await page.getByRole("dialog").waitFor();
};

export const sayYes = ({ page }: Tab) => page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
