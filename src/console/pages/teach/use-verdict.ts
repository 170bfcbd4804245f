// What orch says of a text while it is written: 300 ms after the last key its steps are explained, and then its checks are tried.
import { useEffect, useMemo, useRef, useState } from "react";
import { type Mark, type ProcedureText, readProcedure } from "../../editor/procedure-text.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { Input, OperationAnswer } from "../../operations.ts";
import { contractOfSop } from "../../parts/contract-of-sop.ts";
import { useMay } from "../../parts/notice.tsx";
import type { CallProblem } from "../../request.ts";
import { coverageOf, criteriaIn, type Issue, marksOf, subjectOf } from "./marks.ts";
import type { TeachStart } from "./starts.ts";

const QUIET_MS = 300;

type Contract = Input<"explain">["contract"];
type Steps = NonNullable<Input<"explain">["steps"]>;

export type TextVerdict = {
  readonly procedure: ProcedureText;
  readonly explained: OperationAnswer<"explain"> | null;
  /** Of the checks, once they are tried; null before. */
  readonly warnings: OperationAnswer<"explain">["warnings"] | null;
  readonly coverage: readonly { readonly criterion: string; readonly step_index: number | null }[];
  readonly marks: { readonly text: string; readonly marks: readonly Mark[] };
  readonly is_untouched: boolean;
  /** Other than that the text is wrong. */
  readonly problem: CallProblem | null;
};

export type TeachRefusal = { readonly text: string; readonly issues: readonly Issue[] } | null;

type Written = {
  readonly text: string;
  /** The form that nothing was filled in yet; null where the text began as a procedure. */
  readonly form: string | null;
  readonly refusal: TeachRefusal;
};

export function useVerdict(start: TeachStart, { text, form, refusal }: Written): TextVerdict {
  const quiet = useQuiet(text);
  const is_untouched = quiet === form;
  const procedure = useMemo(() => readProcedure(quiet), [quiet]);
  const { subject, faults } = subjectOf(start.subject, procedure);
  const { input, is_ready } = inputOf(start, subject, procedure.fields);
  const may_explain = useMay("submit");
  const enabled = may_explain && is_ready && faults.length === 0 && procedure.faults.length === 0 && !is_untouched;
  const explain = useOperation("explain", input, { enabled });
  const is_current = enabled && !explain.isPlaceholderData && explain.data !== undefined;
  const can_try = is_current && explain.data?.would !== "block";
  const tried = useOperation("explain", { ...input, try_checks: true }, { enabled: can_try });
  const warnings = can_try && !tried.isPlaceholderData ? (tried.data?.warnings ?? null) : null;
  const is_schema = explain.error?.status === 400;
  const wanted = start.task?.contract.success_criteria ?? null;
  const coverage = procedure.fields === null ? null : coverageOf(procedure.fields, wanted);
  const issues = [
    ...(enabled && is_schema ? (explain.error?.issues ?? []).map(withoutContract) : []),
    ...(is_untouched ? [] : (coverage?.issues ?? [])),
    ...(refusal?.text === quiet ? refusal.issues : []),
  ];
  const is_settled = !enabled || is_current || explain.error !== null;
  const steps = is_current ? (explain.data?.steps ?? []) : [];
  const marks = [
    ...faults.map((fault): Mark => ({ ...fault, severity: "error" })),
    ...marksOf(procedure, { issues, steps, warnings: warnings ?? [], has_contract: start.task !== null }),
  ];
  const criteria = wanted ?? Object.keys(criteriaIn(procedure.fields ?? {}) ?? {});
  const proved = new Map(coverage?.criteria.map(({ criterion, step_index }) => [criterion, step_index]));
  return {
    procedure,
    is_untouched,
    explained: enabled ? (explain.data ?? null) : null,
    warnings,
    coverage: criteria.map((criterion) => ({ criterion, step_index: proved.get(criterion) ?? null })),
    marks: useSettled({ text: quiet, marks }, is_settled),
    problem: is_schema ? null : explain.error,
  };
}

/** Of a text without steps too, so that the query always has a name. */
function inputOf(start: TeachStart, subject: TeachStart["subject"], fields: ProcedureText["fields"]) {
  const steps = fields?.["steps"];
  const is_ready = subject !== null && Array.isArray(steps) && steps.length > 0;
  // The server reads them with its schema and names what is wrong.
  const given = (is_ready ? steps : []) as Steps;
  const about = { intent: "none", target: {}, ...subject, steps: given.filter(isCall) as never };
  const contract: Contract = start.task?.contract ?? contractOfSop(about, start.of_task ?? undefined);
  const safety = fields?.["safety_level"];
  const safety_level = safety === "approval_required" ? ("approval_required" as const) : ("standard" as const);
  return { is_ready, input: { contract, steps: given, safety_level } };
}

const isCall = (step: unknown): boolean =>
  typeof step === "object" && step !== null && "server" in step && typeof step.server === "string";

const withoutContract = ({ path, message }: Issue): Issue => ({ path: path.replace(/^contract\./, ""), message });

/** The value once nothing was typed for a moment. */
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
}

/** Marks stay as they are while the next are on their way, so that nothing flickers. */
function useSettled(next: TextVerdict["marks"], is_settled: boolean): TextVerdict["marks"] {
  const kept = useRef(next);
  const is_same = JSON.stringify(kept.current) === JSON.stringify(next);
  if (is_settled && !is_same) kept.current = next;
  return kept.current;
}
