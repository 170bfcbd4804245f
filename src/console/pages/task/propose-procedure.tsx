// Makes a procedure of what an agent has done: a draft that a person reads before it is taught.
import { Link } from "@tanstack/react-router";
import { useAction } from "../../live/use-operation.ts";
import { Code } from "../../parts/code.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";

export function ProposeProcedure({ task_id }: { readonly task_id: string }) {
  const propose = useAction("propose_sop");
  const { data, error, isPending } = propose;
  return (
    <section className="card card-body stack" aria-label="A procedure of it">
      <h2>Next time without a model</h2>
      <p>
        The calls that led to the result can become a procedure: the same steps, proved by the same checks, and no model
        decides anything when it runs.
      </p>
      {error !== null && <ProblemNotice problem={error} />}
      {data === undefined ? (
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={isPending}
            onClick={() => propose.mutate({ task_id })}
          >
            Make a procedure of it
          </button>
        </div>
      ) : (
        <>
          <Code text={JSON.stringify(data, null, 2)} label="The draft" />
          <div className="row">
            <Link className="button primary" to="/teach" search={{ task_id }}>
              Read and teach it
            </Link>
          </div>
        </>
      )}
    </section>
  );
}
