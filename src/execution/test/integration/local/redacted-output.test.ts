// A secret where the output of a command that runs is cut.
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { cmd } from "../../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { createLocalBackend } from "../../../local/local-backend.ts";

const SHOWN = 32 * 1024;
const SECRET = "0123456789-the-secret-9876543210";
const redact = createRedactor([SECRET]);

test("the output of a step is cut after redaction", async () => {
  const zeros = (count: number) => `printf '%0${count}d' 0`;
  const script = [zeros(SHOWN - 8), `printf ${SECRET}`, zeros(100_000), `printf ${SECRET}`, zeros(SHOWN - 8)].join(
    "; ",
  );
  const backend = createLocalBackend({ clock: () => new Date(), home: tmpdir(), redact });
  const request = aRequest([cmd(script), cmd(`(${script}) >&2; echo ${SECRET} >&2; exit 1`)]);
  const { step_results } = await backend.run(request, anObserver().observer, new AbortController().signal);
  const cut = /^0{32760}\[redacted\]\n\[\.\.\. \d+ bytes left out \.\.\.\]\n(\[redacted\])?0+(\[redacted\]\n)?$/;
  expect(step_results[0]).toMatchObject({ stdout: expect.stringMatching(cut), stdout_bytes: 165_584, truncated: true });
  expect(step_results[1]).toMatchObject({ stderr: expect.stringMatching(cut), stderr_bytes: 165_617, truncated: true });
});
