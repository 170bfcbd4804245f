// What a skill asks for: the action as a sentence, and every change that it makes.
import type { SkillContent } from "../../../domain/approval.ts";
import { Code, Printable } from "../../parts/code.tsx";
import { count } from "../../parts/text.ts";
import { ACTION } from "./to-see.ts";
import type { Watch } from "./use-seen.ts";

type Props = { readonly content: SkillContent; readonly watch: Watch };

export const SkillAction = ({ content: { action, details }, watch }: Props) => (
  <>
    <h2>What it does</h2>
    <div className="card" ref={watch(ACTION)}>
      <div className="card-head">
        <strong>
          <Printable text={action} />
        </strong>
        <span className="muted push">{count(details.length, "change")}</span>
      </div>
      <div className="card-body">
        <Code whole text={details.join("\n")} label="Every change" />
      </div>
    </div>
  </>
);
