// orch policy check: prints the guard's verdict on a command, without a server.
import { resolve } from "node:path";
import { z } from "zod";
import { protectedPaths } from "../../config/secrets.ts";
import { stepEnvironment } from "../../domain/step-run.ts";
import { reachOf } from "../../engine/policy/category-consequences.ts";
import { consequencesOf, inspect, protectPaths } from "../../guard/guard.ts";
import { command } from "../context.ts";
import { targetOf } from "../contract-from-words.ts";
import { EXIT, type ExitCode, failed, usage } from "../failure.ts";
import { readText } from "../files.ts";
import { verdictLines } from "../show-explanation.ts";

const Given = z.object({
  command: z.string().optional(),
  file: z.string().optional(),
  cwd: z.string().optional(),
  home: z.string().optional(),
  target: z.array(z.string()).default([]),
});

const EXITS = { allow: EXIT.done, ask: EXIT.need_approval, block: EXIT.not_ok } as const satisfies Record<
  string,
  ExitCode
>;

export const policyCheck = command(Given, async (context, given) => {
  if ((given.command === undefined) === (given.file === undefined)) {
    return failed(usage("Give either a command, in quotes, or --file with one."));
  }
  const source = given.file === undefined ? (given.command ?? "") : await readText(context, given.file);
  const target = targetOf(given.target);
  protectPaths(protectedPaths(context.environment));
  const { out } = context;
  const home = resolve(context.cwd, given.home ?? context.home);
  // The directory that a step would have: compose_dir, or the home directory.
  const cwd = resolve(context.cwd, given.cwd ?? target["compose_dir"] ?? home);
  const env = stepEnvironment({ task_id: "policy-check", target, payload: {} });
  const shell = { home, cwd, env };
  const verdict = { ...inspect(source, shell), ...reachOf(consequencesOf(source, shell)) };
  out.answer(verdict, () => verdictLines(source, verdict, out));
  return EXITS[verdict.verdict];
});
