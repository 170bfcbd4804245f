// Tools for images and runtimes of containers.
import { has, parseOptions } from "../words/options.ts";
import { CONTAINERS } from "./docker-effect.ts";
import { type EffectRule, type ProgramRecord, verbs } from "./record.ts";

const crictl: EffectRule = verbs(
  CONTAINERS,
  "ps pods images img inspect inspecti inspectp logs stats statsp info version imagefsinfo events",
  "create run runp start stop stopp rm rmp rmi pull update",
  { valued: "-r --runtime-endpoint -i --image-endpoint -t --timeout -c --config" },
);

const skopeo: EffectRule = verbs(CONTAINERS, "inspect list-tags", "copy delete sync login logout");

export const CONTAINER_TOOLS: readonly ProgramRecord[] = [
  { names: "crictl", effect: crictl },
  { names: "skopeo", effect: skopeo },
  { names: "dive ctop lazydocker", effect: "reads" },
  { names: "buildah", effect: { changes: CONTAINERS } },
  { names: "ctr", effect: ([, ...args]) => (has(parseOptions(args), "version") ? "reads" : "unknown") },
];
