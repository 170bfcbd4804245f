// "Look now": runs the checks and previews of a version on its target, and no step that changes something.
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import type { CallProblem } from "../../request.ts";

export type Proof = OperationAnswer<"prove_sop">["proof"];

export type Looking = {
  readonly start: () => void;
  readonly is_running: boolean;
  readonly problem: CallProblem | null;
  readonly seen: { readonly proof: Proof; readonly at: string } | null;
};

export function useLook(sop_id: string): Looking {
  const prove = useAction("prove_sop");
  const { data, submittedAt, isPending, error } = prove;
  const at = new Date(submittedAt).toISOString();
  return {
    start: () => prove.mutate({ sop_id }),
    is_running: isPending,
    problem: error,
    seen: data === undefined ? null : { proof: data.proof, at },
  };
}
