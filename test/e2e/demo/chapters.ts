// The chapters of the demo in their order. Each builds on the state that the ones before have left.
import { approval } from "./chapters/approval.ts";
import { blocked } from "./chapters/blocked.ts";
import { crash } from "./chapters/crash.ts";
import { failingCheck } from "./chapters/failing-check.ts";
import { flowEngine } from "./chapters/flow-engine.ts";
import { knownSop } from "./chapters/known-sop.ts";
import { promotion } from "./chapters/promotion.ts";
import { proof } from "./chapters/proof.ts";
import { replacement } from "./chapters/replacement.ts";
import { teaching } from "./chapters/teaching.ts";
import { toolCall } from "./chapters/tool-call.ts";
import { trial } from "./chapters/trial.ts";
import { unknownSop } from "./chapters/unknown-sop.ts";
import type { Chapter } from "./scene.ts";

export const CHAPTERS: readonly Chapter[] = [
  unknownSop,
  teaching,
  promotion,
  knownSop,
  proof,
  approval,
  blocked,
  failingCheck,
  replacement,
  trial,
  toolCall,
  crash,
  flowEngine,
];

export const headingOf = ({ title }: Chapter, position: number): string => `${position + 1}. ${title}`;
