// The tool servers: whether each answers, and the tools that it has, with what it says of their effects.
import { InlineCode, Printable } from "../../parts/code.tsx";
import { Status, Tag } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import type { Tone } from "../../parts/tone.ts";
import { ROW } from "../../parts/use-list-keys.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { LOOK_STATES, Said } from "./looked.tsx";

type ToolServers = OperationAnswer<"get_diagnosis">["tool_servers"];
type Tool = ToolServers[number]["tools"][number];

const EFFECTS: Readonly<Record<Tool["effect"], readonly [word: string, tone: Tone]>> = {
  reads: ["Only looks", "idle"],
  changes: ["Changes something", "ask"],
  unknown: ["Does not say", "stop"],
};

export const ServedTools = ({ servers }: { readonly servers: ToolServers }) => (
  <div className="card">
    <div className="card-head">
      <h3>Tool servers</h3>
    </div>
    {servers.length === 0 && (
      <p className="card-body muted">
        None: <code>MCP_NAME_URL</code> and <code>MCP_NAME_TOKEN</code> add one, and a start of orch.
      </p>
    )}
    {servers.length > 0 && (
      <ul className="plain-list" aria-label="Tool servers">
        {servers.map(({ name, state, found, fix, tools }) => (
          <li key={name} className="looked" {...ROW}>
            <strong>
              <InlineCode text={name} />
            </strong>
            <Status tone={LOOK_STATES[state][1]}>{LOOK_STATES[state][0]}</Status>
            {tools.length === 0 ? (
              <Said found={found} fix={fix} />
            ) : (
              <details className="looked-text">
                <summary>{count(tools.length, "tool")}</summary>
                <ToolList tools={tools} />
              </details>
            )}
          </li>
        ))}
      </ul>
    )}
  </div>
);

const ToolList = ({ tools }: { readonly tools: readonly Tool[] }) => (
  <dl className="served-tools">
    {tools.map(({ name, effect, description }) => (
      <div key={name}>
        <dt className="row">
          <InlineCode text={name} />
          <Tag tone={EFFECTS[effect][1]}>{EFFECTS[effect][0]}</Tag>
        </dt>
        <dd className="muted">
          <Printable text={description} />
        </dd>
      </div>
    ))}
  </dl>
);
