// Holds the records of the command lines of forges and of version control systems beside git.
import { optionValues, words } from "../words/options.ts";
import { REPOSITORY } from "./git-verbs.ts";
import { byOptions, COMPLETIONS, type EffectRule, given, mayBeOption, type ProgramRecord, verbs } from "./record.ts";

const FORGE = "changes the forge";

const api = byOptions("X method f raw-field F field H header q jq t template input", (parsed) => {
  const methods = optionValues(parsed, "X", "method");
  if (methods.some((method) => !/^(GET|HEAD)$/i.test(method ?? ""))) return { changes: FORGE };
  const sends = given(parsed, words("f raw-field F field input")) && methods.length === 0;
  return sends ? { changes: FORGE } : parsed.operands.some(mayBeOption) ? "unknown" : "reads";
});

const forge = (change: string): EffectRule =>
  verbs(FORGE, "view list ls status diff checks watch get", change, { valued: "-R --repo" });

const forgeTool = verbs(FORGE, "status version search", "", {
  rules: [
    [
      "pr mr issue run release repo workflow label gist project ruleset ci job pipeline variable secret cache ssh-key gpg-key org",
      forge(`create close merge edit comment review reopen ready checkout delete cancel rerun download clone fork rename sync
        archive set enable disable run lock unlock upload pin unpin transfer develop retry approve add update note`),
    ],
    ["auth config", verbs(FORGE, "status list get", "login logout refresh setup-git switch set")],
    ["api", api],
  ],
});

export const FORGES: readonly ProgramRecord[] = [
  { names: "gh glab", prints: "anything", printsSetup: COMPLETIONS, effect: forgeTool },
  { names: "tig gitk", effect: "reads" },
  {
    names: "svn",
    effect: verbs(
      REPOSITORY,
      "status st log info diff list ls cat blame",
      "checkout co update up commit ci add delete rm revert merge switch",
    ),
  },
  {
    names: "hg",
    effect: verbs(
      REPOSITORY,
      "status st log diff cat annotate identify summary heads branches tags",
      "commit pull push update add remove merge",
    ),
  },
];
