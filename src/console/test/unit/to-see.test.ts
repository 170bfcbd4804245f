// What has to be in view before a yes.
import { describe, expect, test } from "vitest";
import { partsToSee } from "../../pages/approval/to-see.ts";

type Shown = Parameters<typeof partsToSee>[0];
type Look = Parameters<typeof partsToSee>[1];

const shown = (content: object): Shown =>
  ({ approval: { content }, steps: [{ index: 0, preview: "diff it" }, { index: 1 }] }) as never;
const IDLE: Look = { seen: null, is_running: false };
const PRINTED = { exit_code: 0, output: "it", obstacle: null };
const looked = { seen: { steps: [{ step_index: 0, preview: PRINTED }] }, is_running: false } as never;

describe("the parts to see before a yes", () => {
  test.each<[string, object, Look, readonly string[]]>([
    ["each step", {}, IDLE, ["step 0", "step 1"]],
    ["a preview while it runs", {}, { ...IDLE, is_running: true }, ["step 0", "preview 0", "step 1"]],
    ["what a preview has printed", {}, looked, ["step 0", "preview 0", "step 1"]],
    [
      "what a preview had printed when it was asked",
      { proof: { steps: [{ step_index: 0, preview: PRINTED }] } },
      IDLE,
      ["step 0", "preview 0", "step 1"],
    ],
    ["the files that the steps run", { scripts: [{}] }, IDLE, ["step 0", "step 1", "scripts"]],
    ["the action of a skill", { details: [] }, IDLE, ["action"]],
  ])("are %s", (_what, content, look, parts) => {
    expect(partsToSee(shown(content), look)).toEqual(parts);
  });
});
