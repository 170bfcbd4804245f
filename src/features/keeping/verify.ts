// Checks that the anchors of a bundle are over entries of its journal.
import { anchorFaults } from "../../domain/anchor.ts";
import type { Rule } from "../../engine/evidence/verify/rule.ts";

export const ANCHORS_RULE: Rule = () => ({ bundle: ({ anchors = [], journal }) => anchorFaults(anchors, journal) });
