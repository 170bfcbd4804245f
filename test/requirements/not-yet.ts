// Requirements that no test shows yet, each with the reason. A change that shows one cites it and removes its line here.
export const NOT_YET: Readonly<Record<string, string>> = {
  "8.target.verified_ratio": "D5: orch keeps verifications, and no operation reports a ratio of them",
  "8.target.zero_count": "D5: the specification does not name what is counted",
  "8.target.taught_ratio": "D5: no operation reports ratios by delegation_mode",
  "8.target.delegated_share":
    "D5: tasks that were not delegated are unknown to orch; the supervisor has to report them",
  "8.target.new_sops": "D5: what is a new area is not in the contract",
  "8.target.reduction": "D5: the specification does not name what is reduced",
  "8.target.separate": "D5: no operation reports results by delegation_mode",
};
