// Tools for images and runtimes of containers.
import { has, parseOptions } from "../words/options.ts";
import { CONTAINERS } from "./docker-effect.ts";
import { changing, type EffectRule, READS, UNSURE, verbs } from "./effect-rules.ts";
import type { ProgramRecord } from "./record.ts";

const crictl: EffectRule = verbs({
  why: CONTAINERS,
  valued: "-r --runtime-endpoint -i --image-endpoint -t --timeout -c --config",
  reads: "ps pods images img inspect inspecti inspectp logs stats statsp info version imagefsinfo events",
  changes: "create run runp start stop stopp rm rmp rmi pull update",
});

const skopeo: EffectRule = verbs({
  why: CONTAINERS,
  reads: "inspect list-tags",
  changes: "copy delete sync login logout",
});

export const CONTAINER_TOOLS: readonly ProgramRecord[] = [
  { names: "crictl", effect: crictl },
  { names: "skopeo", effect: skopeo },
  { names: "dive ctop lazydocker", effect: () => READS },
  { names: "buildah", effect: changing(CONTAINERS) },
  { names: "ctr", effect: ([, ...args]) => (has(parseOptions(args), "version") ? READS : UNSURE) },
];
