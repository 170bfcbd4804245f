// The steps that one version has and another has not.
import { Code } from "../../parts/code.tsx";
import type { Shown } from "./shown.ts";

type Props = { readonly diff: NonNullable<Shown["compared_with"]>["diff"] };

export const StepDifference = ({ diff }: Props) => (
  <ul className="stack">
    {diff.map(({ is, step_index, step }) => (
      <li key={`${is} ${step_index} ${step}`} className={`diff ${is}`}>
        <span className="small">
          {is === "added" ? "Added" : "Removed"} as step {step_index}
        </span>
        <Code whole text={step} />
      </li>
    ))}
  </ul>
);
