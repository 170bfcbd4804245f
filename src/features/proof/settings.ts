// Defines the settings of what is looked at to learn what a check is worth.
import { setting } from "../../config/setting.ts";
import { oneOf } from "../../config/values.ts";

export const PROOF_SETTINGS = {
  before_look: setting(
    "BEFORE_LOOK",
    oneOf(["on", "off"]).default("on"),
    "whether the checks of a plan are run once before its first change; a check opts out with the comment `# orch: once`",
  ),
  check_looks: setting(
    "CHECK_LOOKS",
    oneOf(["on", "off"]).default("on"),
    "whether a check is tried with a decoy and in an empty world, to learn whether it can fail",
  ),
} as const;
