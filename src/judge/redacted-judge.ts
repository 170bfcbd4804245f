// Keeps known secrets out of findings: a plan is judged with the texts of the scripts that it runs, and a finding shows the command that it
// is about, with what such a text put into it (D-265).
import { type Json, redactedJson } from "../domain/json.ts";
import { examinePlan, type JudgedPlan, type Plan } from "../policy/judge-plan.ts";
import type { Judge } from "../ports.ts";
import type { Judges } from "./thread-judge.ts";

type Redact = (text: string) => string;

type Both = Pick<Judges, "ofTasks" | "ofRequests">;

export const redactedJudges = ({ ofTasks, ofRequests }: Both, redact: Redact): Both => ({
  ofTasks: redactedJudge(ofTasks, redact),
  ofRequests: redactedJudge(ofRequests, redact),
});

const redactedJudge =
  (judge: Judge, redact: Redact): Judge =>
  async (judgement, ...given) => {
    const judged = await judge(judgement, ...given);
    // Only this judgement reads texts of files.
    if ((judgement as unknown) !== examinePlan) return judged;
    const [plan] = given as unknown as [Plan];
    return plan.context.scripts?.size ? (redacted(judged as JudgedPlan, redact) as typeof judged) : judged;
  };

function redacted({ findings, steps }: JudgedPlan, redact: Redact): JudgedPlan {
  const quoted = <T>(value: T): T => redactedJson(redact, value as Json) as T;
  return {
    findings: quoted(findings),
    // The texts are compared with what the files hold when the step starts.
    steps: steps.map(({ known, uses, consequences, saw }) => ({
      known,
      uses: { ...uses, uncovered: quoted(uses.uncovered) },
      consequences: quoted(consequences),
      saw: quoted(saw),
    })),
  };
}
