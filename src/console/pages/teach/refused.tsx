// Why a teaching was refused, once, and what to do next: what is wrong with the text is marked in it and listed beside it.
import { Link } from "@tanstack/react-router";
import type { GoTo, Mark } from "../../editor/mark.ts";
import { MissingScope } from "../../parts/missing-scope.tsx";
import { Notice } from "../../parts/notice.tsx";
import { scopeIn } from "../../parts/scopes.ts";
import { count } from "../../parts/text.ts";
import type { CallProblem } from "../../request.ts";
import type { TeachStart } from "./starts.ts";

type Props = {
  readonly problem: CallProblem;
  readonly start: TeachStart;
  readonly marks: readonly Mark[];
  readonly onGoTo: GoTo;
};

export function Refused({ problem, start, marks, onGoTo }: Props) {
  const scope = scopeIn(problem.needs_scope);
  if (scope !== undefined) return <MissingScope scope={scope} what="Teaching" />;
  const wrong = marks.filter(({ severity }) => severity === "error");
  const [first] = wrong;
  const is_marked = problem.issues.length > 0 && first !== undefined;
  return (
    <Notice tone="bad" alert>
      {is_marked ? (
        <p>
          Nothing was taught: {count(wrong.length, "thing is", "things are")} wrong, marked where{" "}
          {wrong.length === 1 ? "it is" : "they are"}.
        </p>
      ) : (
        <>
          <p>{problem.message}</p>
          {problem.fix !== null && <p>{problem.fix}</p>}
        </>
      )}
      <p>
        {is_marked ? (
          <>
            <button type="button" className="link-button" onClick={() => onGoTo(first.from)}>
              Go to the first mark
            </button>
            , correct it, and press the button again. {start.task !== null && "The task waits until then."}
          </>
        ) : (
          <NextOf start={start} />
        )}
      </p>
    </Notice>
  );
}

function NextOf({ start: { task, of_task } }: Pick<Props, "start">) {
  const task_id = task?.task_id ?? of_task;
  if (task_id === null) return "The text is kept in this tab: try again, or leave it for later.";
  return (
    <>
      The text is kept.{" "}
      {task === null && "Store it as a candidate, and later tasks of this intent and target can run it; or "}
      <Link to="/tasks/$task_id" params={{ task_id }}>
        {task === null ? "see what became of the task" : "See what became of the task"}
      </Link>
      .
    </>
  );
}
