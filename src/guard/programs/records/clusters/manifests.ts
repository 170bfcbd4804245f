// Says which manifests of a cluster are a question.
import type { ProgramRecord } from "../../record.ts";

/** A volume that is the whole host, or a tree of its system. */
const OF_HOST =
  /hostPath["']?\s*:\s*\{?\s*(?:["']?type["']?\s*:\s*\S+\s+)?["']?path["']?\s*:\s*["']?\/(?:(?:etc|usr|boot|bin|sbin|lib\w*|root|home|var)?\/?)["']?\s*(?:[,}]|$)/m;

/** A manifest that was fetched, or that gives a pod the host. What else the plan writes itself is read by the cluster, and an address is no file that is covered. */
export const KUBECTL_OBEYS: NonNullable<ProgramRecord["obeys"]> = [
  {
    when: /(?:^|\s)(?:apply|create|replace)(?:\s|$)(?!.*:\/\/)/,
    options: "f filename k kustomize",
    valued: "n namespace c container l selector p patch o output context",
    holds: OF_HOST,
  },
  { when: /(?:^|\s)(?:apply|create|replace)\s.*(?:-f|--filename)[\s=]*-(?:\s|$)/, input: "all", holds: OF_HOST },
];
