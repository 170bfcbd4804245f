// orch evidence: the bundle of a task, and with --verify whether it holds together, which needs no server.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { counted } from "../../domain/text.ts";
import { getEvidence } from "../../operations/evidence.ts";
import { verifyBundle } from "../../operations/verify-bundle.ts";
import { type Context, command, fail } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failed, type Result, usage } from "../failure.ts";
import { printable, printableJson, printableLines } from "../printable.ts";
import { readDocument } from "../read-file.ts";
import { painted } from "../words.ts";

const Given = z.object({ of: z.string(), verify: z.boolean().default(false), out: z.string().optional() });

export const evidence = command(Given, async (context, { of, verify, out: file }) => {
  const bundle = await bundleOf(context, of);
  if (!bundle.ok) return fail(context, bundle.failure);
  if (file !== undefined) {
    const written = await write(resolve(context.cwd, file), bundle.value);
    if (!written.ok) return fail(context, written.failure);
  }
  if (verify) return verified(context, bundle.value);
  if (file === undefined) context.out.answer(bundle.value, () => printableLines(printableJson(bundle.value, 2)));
  return EXIT.done;
});

/** Of a task, or from a file: what holds a slash or ends in .json is one. */
const bundleOf = (context: Context, of: string): Promise<Result<unknown>> =>
  of === "-" || of.includes("/") || of.endsWith(".json")
    ? readDocument(context, of)
    : context.call(getEvidence, { task_id: of });

async function write(path: string, bundle: unknown): Promise<Result<unknown>> {
  try {
    await writeFile(path, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600 });
    return { ok: true, value: bundle };
  } catch (error) {
    return failed(usage(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`));
  }
}

function verified({ out }: Context, bundle: unknown): ExitCode {
  const { faults, events } = verifyBundle(bundle);
  const told = faults.length === 0 ? "holds together" : `has ${counted(faults.length, "fault")}`;
  out.answer({ faults, events }, () => [
    `${painted(out.paint, faults.length === 0 ? "passed" : "failed", told)}  ${events} journal entries`,
    ...faults.map((fault) => `  ${printable(fault)}`),
  ]);
  return faults.length === 0 ? EXIT.done : EXIT.not_ok;
}
