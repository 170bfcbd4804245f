// The door of the proof of checks: says what a check of a shell is worth. README.md beside this file explains the words.
// biome-ignore-all lint/performance/noBarrelFile: it is the door of a package.
export { constantExit } from "./constant.ts";
export { decoyOf } from "./decoy.ts";
export { examineCheck, notRun, type Probes } from "./examine.ts";
export { type Mend, mendsOf } from "./mends.ts";
export { wordingFault } from "./misread.ts";
export { ownMarker } from "./own-marker.ts";
export { readPipes } from "./pipes.ts";
export { hasOnce, readCheck, runBy, textFacts } from "./read-check.ts";
export { dataWords, type TextPlace, textPlaces } from "./syntax.ts";
export { type CheckProof, type Examination, proofOf } from "./worth.ts";
