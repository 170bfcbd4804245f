// The desk: the text at the left, and what orch says of it at the right. "Teach" sends it, and says where it went.
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useRef, useState } from "react";
import { type GoTo, type Mark, readProcedure, writeProcedure } from "../../editor/procedure-text.ts";
import { YamlEditor } from "../../editor/yaml-editor.tsx";
import { useAction } from "../../live/use-operation.ts";
import type { Input, OperationAnswer } from "../../operations.ts";
import { MissingScope, Notice, scopeIn, useMay } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import type { CallProblem } from "../../request.ts";
import { subjectOf } from "./marks.ts";
import type { TeachStart } from "./starts.ts";
import { type TeachRefusal, useVerdict } from "./use-verdict.ts";
import { VerdictPanel } from "./verdict-panel.tsx";

const WAIT_SECONDS = 2;

type Given = { readonly start: TeachStart; readonly onTaught: (answer: OperationAnswer<"teach">) => void };

export function TeachDesk({ start, onTaught }: Given) {
  const [round, setRound] = useState(0);
  const startOver = () => {
    forgetDraft(start.key);
    setRound(round + 1);
  };
  return <Desk key={round} start={start} onTaught={onTaught} onStartOver={startOver} />;
}

type Props = Given & {
  readonly onStartOver: () => void;
};

function Desk({ start, onTaught, onStartOver }: Props) {
  const { key, fields, comments, is_template } = start;
  // Of the first moment: what the server says of the task later does not replace what is being written.
  const [template] = useState(() => writeProcedure(fields, comments));
  const [draft] = useState(() => draftOf(key));
  const [text, setText] = useState(draft ?? template);
  const [refusal, setRefusal] = useState<TeachRefusal>(null);
  const teach = useAction("teach");
  const goTo = useRef<GoTo>(() => {});
  const hint = useId();
  const form = is_template ? template : null;
  const may_teach = useMay("teach");
  const verdict = useVerdict(start, { text, form, refusal });
  const unreadable = useMemo(() => readProcedure(text).fields === null, [text]);
  const change = (next: string) => {
    setText(next);
    if (next === template) forgetDraft(key);
    else keepDraft(key, next);
  };
  const send = () =>
    teach.mutate(inputOf(start, text), {
      onSuccess: (answer) => {
        forgetDraft(key);
        onTaught(answer);
      },
      onError: ({ issues }) => setRefusal({ text, issues }),
    });
  return (
    <div className="teach">
      <section className="stack" aria-label="The procedure">
        {draft !== null && text !== template && (
          <div className="row small muted">
            <span>This is what you wrote in this tab before.</span>
            <button type="button" className="button quiet small" onClick={onStartOver}>
              Start over
            </button>
          </div>
        )}
        <YamlEditor
          label="The procedure as YAML"
          described_by={hint}
          first={text}
          onChange={change}
          marks={verdict.marks}
          goTo={goTo}
        />
        <p id={hint} className="small muted">
          Tab indents. To leave the editor by keyboard, press Escape and then Tab. F8 goes to the next mark.
        </p>
        {teach.error !== null && refusal?.text === text && (
          <Refused
            problem={teach.error}
            start={start}
            marks={verdict.marks.marks}
            onGoTo={(from) => goTo.current(from)}
          />
        )}
        {!may_teach && teach.error === null && <MissingScope scope="teach" what="Teaching" />}
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={!may_teach || unreadable || text === form || teach.isPending}
            onClick={send}
          >
            {start.task === null ? "Store as a candidate" : "Teach"}
          </button>
          <span className="muted small">
            {start.task === null ? "Its promotion asks for an approval." : "The task goes on with these steps."}
          </span>
        </div>
      </section>
      <VerdictPanel verdict={verdict} has_contract={start.task !== null} goTo={goTo} />
    </div>
  );
}

/** The server reads the fields with its schema, and names each that is wrong. */
function inputOf(start: TeachStart, text: string): Input<"teach"> {
  const procedure = readProcedure(text);
  const { intent: _intent, target: _target, ...definition } = procedure.fields ?? {};
  const { subject } = subjectOf(start.subject, procedure);
  const of = start.task === null ? subject : { task_id: start.task.task_id, wait_seconds: WAIT_SECONDS };
  return { ...definition, ...of } as Input<"teach">;
}

// What was typed and not taught yet, so that a reload or a refusal loses nothing. It lives as long as the tab.

const PREFIX = "orch.teach.";

const draftOf = (key: string): string | null => sessionStorage.getItem(`${PREFIX}${key}`);

const keepDraft = (key: string, text: string): void => sessionStorage.setItem(`${PREFIX}${key}`, text);

const forgetDraft = (key: string): void => sessionStorage.removeItem(`${PREFIX}${key}`);

// Why a teaching was refused, once, and what to do next: what is wrong with the text is marked in it and listed beside it.

type RefusedProps = {
  readonly problem: CallProblem;
  readonly start: TeachStart;
  readonly marks: readonly Mark[];
  readonly onGoTo: GoTo;
};

function Refused({ problem, start, marks, onGoTo }: RefusedProps) {
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

function NextOf({ start: { task, of_task } }: Pick<RefusedProps, "start">) {
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
