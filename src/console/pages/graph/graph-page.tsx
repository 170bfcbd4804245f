// The pipeline by itself: every way that a task can take.
import { PATH_NAMES } from "../../graph/picture.ts";
import { useTitle } from "../../parts/hooks.ts";
import { GraphSvg, PATH_WORDS, pictureOf } from "./graph-svg.tsx";

export function GraphPage() {
  useTitle("Pipeline");
  return (
    <>
      <header className="page-head">
        <h1>Pipeline</h1>
        <p className="muted">Nodes do the work and report facts. Every edge is a rule, chosen by the fact at it.</p>
      </header>
      <div className="stack">
        {PATH_NAMES.map((path) => (
          <section key={path} className="stack" aria-labelledby={`way-${path}`}>
            <h2 id={`way-${path}`}>{PATH_WORDS[path]}</h2>
            <GraphSvg picture={pictureOf(path)} label={PATH_WORDS[path]} />
            <details>
              <summary className="muted">As a list</summary>
              <ul className="edge-list">
                {pictureOf(path).edges.map(({ source, target, answer }) => (
                  <li key={`${source} ${answer}`}>
                    <code>{source}</code> {answer === null ? "→" : <> {answer} → </>} <code>{target}</code>
                  </li>
                ))}
              </ul>
            </details>
          </section>
        ))}
      </div>
    </>
  );
}
