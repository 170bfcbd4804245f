// Refuses taught texts that bash does not accept [4.teach]: a human who was asked about them could only send them back (D-415).
import type { FieldIssue } from "../../domain/errors.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import type { ExecutionBackend } from "../../ports.ts";

type Text = { readonly path: string; readonly what: string; readonly text: string };

/** Empty where the backend has no bash to ask. */
export async function syntaxIssues(backend: ExecutionBackend | null, steps: readonly Step[]): Promise<FieldIssue[]> {
  const issues: FieldIssue[] = [];
  for (const { path, what, text } of steps.flatMap(textsOf)) {
    const fault = (await backend?.syntaxFault?.(text)) ?? null;
    if (fault !== null) issues.push({ path, message: `parse.error: ${what}, ${sayFault(fault, text)}` });
  }
  return issues;
}

function textsOf(step: Step, index: number): Text[] {
  const at = `steps.${index}`;
  const reconcile = reconcileOf(step);
  return [
    ...(step.kind === "cmd" || step.kind === "check" ? [{ path: at, what: `step ${index}`, text: step.value }] : []),
    ...(step.kind === "cmd" && step.preview !== undefined
      ? [{ path: `${at}.preview`, what: `the preview of step ${index}`, text: step.preview }]
      : []),
    ...(reconcile === undefined
      ? []
      : [{ path: `${at}.reconcile`, what: `the reconcile command of step ${index}`, text: reconcile }]),
  ];
}

/** Of a text that ends too early bash names the line after it. */
function sayFault(fault: string, text: string): string {
  const [, line = "1", why = fault] = /line (\d+): ([^\n]*)/.exec(fault) ?? [];
  const last = text.trimEnd().split("\n").length;
  const [placeholder] = PLACEHOLDER.exec(text) ?? [];
  const fix =
    placeholder === undefined
      ? "correct it"
      : `${placeholder} is a placeholder: write the value, or take it from the payload with jq on $ORCH_PAYLOAD`;
  return `line ${Math.min(Number(line), last)}, is not valid bash (${why}); ${fix}`;
}

const PLACEHOLDER = /<[A-Za-z][\w .-]{0,40}>/;
