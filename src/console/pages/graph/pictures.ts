// The pictures of the pipeline, as the build has laid them out.
import type { PipelineNode } from "../../../domain/place/edges.ts";
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
  look_up_sop: "procedure",
  replace_sop: "replacement",
  run_skill: "skill",
  run_agent: "agent",
};

/** The way that a task has taken, or will take as far as that is known. */
export function pathOfTask(
  task: { readonly intent: string; readonly delegation_mode: string },
  way: readonly { readonly node: PipelineNode }[],
): PathName {
  const taken = way.flatMap(({ node }) => OF_NODE[node] ?? [])[0];
  if (taken !== undefined) return taken;
  if (task.intent === "update_sop") return "replacement";
  return task.delegation_mode === "agent" ? "agent" : "procedure";
}
