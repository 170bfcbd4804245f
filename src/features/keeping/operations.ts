// Answers list_anchors.
import type { HandlersOf } from "../../operations/operation.ts";
import { keptRoots } from "../../tasks/anchors-in.ts";
import type { KEEPING_SHAPES } from "./shapes.ts";

export const KEEPING_HANDLERS: HandlersOf<typeof KEEPING_SHAPES> = {
  list_anchors:
    ({ store }) =>
    async () => {
      const { anchors, restores } = await keptRoots(store);
      return { anchors: [...anchors], restores: [...restores] };
    },
};
