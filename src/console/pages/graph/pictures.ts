// The pictures of the pipeline, as the build has laid them out.
import type { PipelineNode } from "../../../domain/pipeline.ts";
import type { GraphPicture, GraphPictures, PathName } from "../../graph/picture.ts";

/** Put in by the build. */
declare const __GRAPH__: GraphPictures;

export const pictureOf = (path: PathName): GraphPicture => __GRAPH__[path];

export const PATH_WORDS: Readonly<Record<PathName, string>> = {
  procedure: "A task by a procedure",
  replacement: "The replacement of a procedure",
  skill: "A task of a skill",
  agent: "A task of an agent",
};

const OF_NODE: Partial<Record<PipelineNode, PathName>> = {
  run_skill: "skill",
  await_skill_approval: "skill",
  await_skill_resolution: "skill",
};

type ShownTask = {
  readonly intent: string;
  readonly delegation_mode: string;
  readonly outcome: { readonly reason_code: string } | null;
};

/** The way that a task takes, as far as that is known. */
export function pathOfTask({ intent, delegation_mode, outcome }: ShownTask, node: PipelineNode | null): PathName {
  if (intent === "update_sop") return "replacement";
  if (delegation_mode === "agent") return "agent";
  if (outcome?.reason_code.startsWith("skill_")) return "skill";
  return (node === null ? undefined : OF_NODE[node]) ?? "procedure";
}
