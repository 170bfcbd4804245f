// A polled check of a server that drains, and the looks at it: promises 1.6.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aContract, cmd, polled } from "../../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import { createLocalBackend, createLook } from "../../../local/local-backend.ts";

async function aDirectory() {
  const home = await mkdtemp(join(tmpdir(), "orch-polled-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const tries = async () => (await readFile(join(home, "tries"), "utf8").catch(() => "")).length;
  return { home, tries, options: { clock: () => new Date(), home } };
}

test("a server that drains leaves a polled check to the next one at once, without a result", async () => {
  const { tries, options } = await aDirectory();
  const leaving = new AbortController();
  const { observer, lines } = anObserver();
  const request = aRequest([polled("printf x >> tries; exit 1", "1h"), cmd("touch after")]);
  const running = createLocalBackend(options).run(
    request,
    { ...observer, leaving: leaving.signal },
    new AbortController().signal,
  );
  await expect.poll(tries, { timeout: 30_000 }).toBe(1);
  leaving.abort();
  expect(await running).toMatchObject({ ok: false, step_results: [] });
  expect(lines).toEqual(["started 0/1"]);
});

test("a polled check that a stop cut off is polled anew", async () => {
  const { tries, options } = await aDirectory();
  const request = aRequest([polled("printf x >> tries; test $(wc -c < tries) -ge 2", "60s")], {
    started_at: "2026-03-06T09:00:00.000Z",
  });
  const { observer } = anObserver();
  const output = await createLocalBackend(options).run(request, observer, new AbortController().signal);
  expect(output.step_results).toMatchObject([{ status: "passed", tries: { count: 2 } }]);
  expect(await tries()).toBe(2);
});

test("a look before the change is one try", async () => {
  const { tries, options } = await aDirectory();
  const step = polled("printf x >> tries; exit 1", "1h");
  const checks = [{ step_index: 0, step }];
  const looks = await createLook(options)({ task_contract: aContract(), checks }, new AbortController().signal);
  expect(looks).toMatchObject([{ step_index: 0, answer: "red", exit_code: 1 }]);
  expect(await tries()).toBe(1);
});
