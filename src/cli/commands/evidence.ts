// orch evidence: prints or writes the evidence bundle of a task; --verify checks a bundle without a server.
import { z } from "zod";
import { getEvidence } from "../../api/operations/shapes/journal.ts";
import { type NotedRoots, provedBy, type RestoreBetween, rootLines, rootsIn } from "../../domain/anchor.ts";
import { MAX_DEPTH } from "../../domain/json.ts";
import { counted, printable, printableJson, printableLines } from "../../domain/printable.ts";
import { verifyBundle } from "../../engine/evidence/verify/bundle.ts";
import { listAnchors } from "../../features/keeping/shapes.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, type ExitCode, failed, usage } from "../failure.ts";
import { readDocument, readText, writeText } from "../files.ts";
import { painted } from "../text-format.ts";

const Given = z.object({
  of: z.string(),
  verify: z.boolean().default(false),
  out: z.string().optional(),
  force: z.boolean().default(false),
  anchor: z.string().optional(),
});

/** Deeper than a contract may be, because a bundle contains one. The check of the bundle limits the contract itself. */
const BUNDLE_DEPTH = 2 * MAX_DEPTH;

export const evidence = command(Given, async (context, { of, verify, out: file, force, anchor }) => {
  const roots = anchor === undefined ? null : await rootsOf(context, anchor);
  const bundle = await bundleOf(context, of);
  if (file !== undefined) {
    await writeText(context, file, `${JSON.stringify(bundle, null, 2)}\n`, {
      force,
      mode: 0o600,
    });
  }
  if (verify || roots !== null) return verified(context, bundle, roots);
  if (file === undefined) context.out.answer(bundle, () => printableLines(printableJson(bundle, 2)));
  else context.out.answer({ written: file }, () => [`written to ${printable(file)}`]);
  return EXIT.done;
});

/** From a file when `of` contains a slash or ends in .json, else from the server. */
const bundleOf = (context: CommandContext, of: string): Promise<unknown> =>
  of === "-" || of.includes("/") || of.endsWith(".json")
    ? readDocument(context, of, BUNDLE_DEPTH)
    : context.call(getEvidence, { task_id: of });

async function rootsOf(context: CommandContext, file: string): Promise<NotedRoots> {
  const text = await readText(context, file);
  const roots = rootsIn(text);
  return roots === null
    ? failed(
        usage(`${file} must hold a day and a root in each line, one root for each day, as orch anchors prints them.`),
      )
    : roots;
}

function verified({ out }: CommandContext, bundle: unknown, roots: NotedRoots | null): ExitCode {
  const { faults: of_bundle, events, last_hash, ...compared } = verifyBundle(bundle);
  const proof = roots === null ? null : provedBy(roots, compared);
  const faults = [...of_bundle, ...(proof !== null && "fault" in proof ? [`Not anchored: ${proof.fault}.`] : [])];
  const anchored = proof !== null && "proved" in proof ? proof.proved : null;
  const restored = proof !== null && "fault" in proof ? proof.between : null;
  const result = faults.length === 0 ? "holds together" : `has ${counted(faults.length, "fault")}`;
  out.answer({ faults, events, last_hash, ...(roots !== null && { anchored, restored }) }, () => [
    `${painted(out.paint, faults.length === 0 ? "passed" : "failed", result)}  ${events} journal entries`,
    ...(last_hash === null || faults.length > 0 ? [] : [`  last hash  ${printable(last_hash)}`]),
    ...(anchored === null || faults.length > 0
      ? []
      : [`  anchored   entries 1 to ${anchored.seq} were there at the end of ${anchored.day}`]),
    ...faults.map((fault) => `  ${printable(fault)}`),
    ...(restored === null ? [] : [`  ${printable(restoredText(restored))}`]),
  ]);
  return faults.length === 0 ? EXIT.done : EXIT.not_ok;
}

/** It explains, and the fault remains: a restore can be invented where a root cannot. */
function restoredText({ restored_at, taken_at, noted, bundle_is }: RestoreBetween): string {
  const restore = `a backup of ${taken_at} was restored on ${restored_at}`;
  if (!noted)
    return `The bundle says that ${restore}, and the roots do not: if you did that, the noted roots are of the server before it; if not, do not trust the bundle.`;
  return bundle_is === "after"
    ? `As the roots note, ${restore}: the bundle is from after it, and that root was noted before it.`
    : `As the roots note, ${restore}: the bundle is of the server before it, and that root of the one after it.`;
}

// orch anchors: the roots of the days, as lines for a file outside of this machine.

export const anchors = command(z.object({}), async (context) => {
  const found = await context.call(listAnchors, {});
  const { anchors: days, restores } = found;
  const none = days.length === 0 ? ["# No day is anchored yet."] : [];
  context.out.answer(found, () => [...rootLines(days, restores), ...none]);
  return EXIT.done;
});
