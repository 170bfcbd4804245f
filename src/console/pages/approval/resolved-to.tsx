// What a step resolves to, where that says more than its own text: the variables that it names, and the commands in it.
import { TASK_VARIABLES } from "../../../domain/task-variables.ts";
import { InlineCode } from "../../parts/code.tsx";
import { count } from "../../parts/text.ts";
import type { ShownStep } from "./shown.ts";

export function ResolvedTo({ step }: { readonly step: ShownStep }) {
  const { kind, command, saw, environment, preview, reconcile, idempotent } = step;
  const text = [command, preview, reconcile].join("\n");
  const variables = Object.entries(environment);
  const named = variables.filter(([name]) => text.includes(name));
  const others = variables.filter(([name]) => !text.includes(name));
  const unset =
    kind === "mcp_call" && reconcile === undefined
      ? []
      : TASK_VARIABLES.filter((name) => !(name in environment) && text.includes(name));
  const resolved = [...new Set(saw)].filter((line) => line !== command);
  return (
    <>
      {(named.length > 0 ||
        unset.length > 0 ||
        resolved.length > 0 ||
        preview !== undefined ||
        reconcile !== undefined) && (
        <dl className="facts">
          {named.map(([name, value]) => (
            <Fact key={name} label={name} texts={[value]} />
          ))}
          {unset.map((name) => (
            <div key={name} className="fact">
              <dt className="mono">{name}</dt>
              <dd>set by each task; here it is resolved without one</dd>
            </div>
          ))}
          {resolved.length > 0 && <Fact label="Programs it starts" texts={resolved} />}
          {preview !== undefined && <Fact label="Preview" texts={[preview]} />}
          {reconcile !== undefined && <Fact label="If its outcome is unknown" texts={[reconcile]} />}
        </dl>
      )}
      {idempotent === true && <p className="small">Idempotent: orch may run it again when its answer is lost.</p>}
      {others.length > 0 && (
        <details className="small muted">
          <summary>It is given {count(others.length, "variable")} that its text does not name</summary>
          <dl className="facts">
            {others.map(([name, value]) => (
              <Fact key={name} label={name} texts={[value]} />
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

const Fact = ({ label, texts }: { readonly label: string; readonly texts: readonly string[] }) => (
  <div className="fact">
    <dt className={/^[A-Z_]+$/.test(label) ? "mono" : ""}>{label}</dt>
    <dd>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <InlineCode text={text} />
          </li>
        ))}
      </ul>
    </dd>
  </div>
);
