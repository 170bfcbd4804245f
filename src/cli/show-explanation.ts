// The answer of `explain`, and the guard's verdict on one command, as text.
import type { z } from "zod";
import type { explain } from "../api/operations/shapes/explain.ts";
import type { Finding } from "../domain/finding.ts";
import { heldText } from "../domain/hold.ts";
import { printable, printableLines } from "../domain/printable.ts";
import type { CommandVerdict } from "../guard/guard.ts";
import type { Out } from "./out.ts";
import { environmentLines, findingLine, pollingLines, reachLines, wordsOfServer } from "./show-approval.ts";
import { block, painted } from "./text-format.ts";

type Judged = z.output<(typeof explain)["output"]>["steps"][number];

const MEANINGS = {
  run: "it would run",
  ask: "it would ask for an approval",
  ask_model: "the routing model would be asked whether it needs an approval",
  block: "it would be blocked",
  need_input: "it would ask to be taught",
} as const;

export function explanationLines(explanation: z.output<(typeof explain)["output"]>, { paint, width }: Out): string[] {
  const { would, why, sop, target_signature, steps, skip, verification } = explanation;
  const { runs_on, queued_for, held_by_freeze, ignored } = explanation;
  const facts = block({ paint, width }, [
    ["why", why],
    ["frozen", held_by_freeze === null ? null : heldText(held_by_freeze)],
    [
      "procedure",
      sop === null
        ? null
        : `SOP ${sop.sop_id}, version ${sop.version}, ${sop.level}${sop.on_trial ? ", on trial" : ""}`,
    ],
    ["target", target_signature === "" ? null : target_signature],
    ["if done", skip],
    ["needs labels", runs_on === null ? null : runs_on.join(", ")],
    ["would wait", queued_for === null ? null : `no server has ${queued_for.join(", ")}`],
    ["to verify", verification],
    ["other fields", ignored ?? null],
  ]);
  const judged = steps.flatMap(({ index, kind, command, polled, not_probed, tool, ...judgement }) => {
    const { environment, saw, verdict, findings, ...known } = judgement;
    const [first = "", ...more] = printableLines(command);
    return [
      `  ${index}  ${painted(paint, verdict)}  ${printable(kind)}  ${first}`,
      ...more.map((line) => `      ${line}`),
      ...pollingLines(polled),
      ...repeatLines(known),
      ...environmentLines(command, environment),
      ...sawLine(saw, command),
      ...(tool === undefined ? [] : wordsOfServer(tool)),
      ...reachLines(known),
      ...(not_probed === undefined ? [] : [`      ${not_probed}`]),
      ...fileLines(known),
      ...findings.map((finding) => findingLine(finding, { paint })),
    ];
  });
  return [`${painted(paint, would, would)}  ${MEANINGS[would]}`, ...facts, ...judged];
}

/** An approval covers each of the files by its digest. */
const fileLines = ({ files = [], not_covered = [] }: Pick<Judged, "files" | "not_covered">): string[] => [
  ...files.map(({ path, judged }) => `      runs  ${printable(path)}${judged ? "" : "  content not judged"}`),
  ...not_covered.map((what) => `      not covered  ${printable(what)}`),
];

/** What settles the step when its outcome is unknown. */
const repeatLines = ({ reconcile, idempotent }: Pick<Judged, "reconcile" | "idempotent">): string[] => [
  ...(reconcile === undefined ? [] : printableLines(`reconcile  ${reconcile}`).map((line) => `      ${line}`)),
  ...(idempotent === true ? ["      idempotent: orch may run it again when its answer is lost"] : []),
];

/** The commands that the guard saw, unless it saw exactly this command. */
const sawLine = (saw: readonly string[], command: string): string[] =>
  saw.length === 0 || (saw.length === 1 && saw[0] === command) ? [] : [`      saw  ${saw.map(printable).join(" · ")}`];

export const verdictLines = (
  command: string,
  { verdict, findings, commands, ...known }: CommandVerdict & Pick<Finding, "change" | "consequences" | "blast">,
  { paint }: Out,
): string[] => [
  `${painted(paint, verdict)}  ${printableLines(command).join("\n       ")}`,
  ...sawLine(commands, command),
  ...reachLines(known),
  ...findings.flatMap((finding) => [
    `      ${painted(paint, finding.verdict)}  ${finding.code}  ${printable(finding.reason)}`,
    ...(finding.command === null ? [] : [`          in  ${printable(finding.command)}`]),
  ]),
];
