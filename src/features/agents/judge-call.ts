// Judges one call of an agent before it is made [5.4], in the world that the calls before it left. A blocked or out-of-scope call
// is refused with the reason, so that the agent can choose another; an unusable call is reported as a fault.
import type { z } from "zod";
import {
  type AgentCall,
  type AgentCallJudged,
  type AgentStep,
  FileEdit,
  FinishCall,
  type SkillToolStep,
} from "../../domain/agent-events.ts";
import { READ_ONLY_INTENTS, scopeOf, type TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import type { BoundTool, Disk, Script } from "../../domain/script.ts";
import { Step } from "../../domain/step.ts";
import type { Tool } from "../../domain/tool.ts";
import { worldAfter } from "../../engine/policy/category-consequences.ts";
import { type ToolFinding, toolFinding } from "../../engine/policy/inspect-steps.ts";
import { permissionOf, serverScope, shellContextOf } from "../../engine/policy/judge-plan.ts";
import { protectedResourceFindings } from "../../engine/policy/protected-resources.ts";
import { judgeOnDisk } from "../../engine/tasks/judge-on-disk.ts";
import { recorded } from "../../engine/tasks/plan.ts";
import { effectOf, type ShellContext, type World } from "../../guard/guard.ts";
import type { Judge } from "../../ports.ts";
import { parseInput } from "../../schema/parse-input.ts";
import type { AgentServices } from "./agent-services.ts";
import {
  type AgentCatalogue,
  canExpect,
  EDIT,
  type Entry,
  EXPECT,
  editCommand,
  FINISH,
  SHELL,
  ShellInput,
} from "./catalogue.ts";

export type Judging = {
  readonly skill_tools: AgentServices["skill_tools"];
  readonly contract: TaskContract;
  readonly catalogue: AgentCatalogue;
  readonly home: string;
  readonly judge: Judge;
  readonly disk: Disk | undefined;
  readonly protectedResources: AgentServices["protectedResources"];
  /** The tool that the step calls, as its server defines it now. */
  readonly boundTools: (step: AgentStep, before?: readonly BoundTool[]) => Promise<BoundTool[]>;
  /** What the calls before this one have left. */
  readonly worldBefore: (index: number, more?: readonly JudgedCall[]) => Promise<World | undefined>;
  /** Identifiers of tool servers in lower case, whether in scope or not. */
  readonly server_names: ReadonlySet<string>;
};

type Called = Pick<AgentCall, "index" | "name" | "arguments">;

/** By the rules alone: the contract's categories are matched afterwards. */
export async function judgeCall(call: Called, judging: Judging): Promise<AgentCallJudged> {
  const entry = judging.catalogue.entries.get(call.name);
  if (entry === undefined) return judgeUnoffered(call, judging);
  const read = stepFrom(entry, call.arguments);
  if ("wrong" in read) return verdict(call, "fault", read.wrong);
  if (read.step === null) return verdict(call, "allow", null);
  const { findings, scripts } = await findingsOn(read.step, call.index, judging);
  const tools = await judging.boundTools(read.step);
  const blocked = findings.find((finding) => finding.verdict === "block");
  return {
    ...verdict(call, ({ allow: "allow", ask: "ask", deny: "refuse" } as const)[permissionOf(findings)], null),
    reason: blocked?.reason ?? null,
    step: read.step,
    effect: await effectsOf(entry, read.step, call.index, judging),
    findings,
    ...recorded({ scripts, tools }),
  };
}

const verdict = (
  { index }: Pick<Called, "index">,
  is: AgentCallJudged["verdict"],
  reason: string | null,
): AgentCallJudged => ({ index, verdict: is, reason, step: null, effect: "reads", findings: [] });

export const notACall = (call: Pick<Called, "index">, reason: string): AgentCallJudged =>
  verdict(call, "fault", reason);

/** Refuses a name that is not offered as out of scope when it exists; else the call is a fault. */
function judgeUnoffered(call: Called, { contract, catalogue, server_names }: Judging): AgentCallJudged {
  const server = /^([A-Za-z0-9_]{1,32}?)(?:__|[.:/])/.exec(call.name)?.[1]?.toLowerCase() ?? "";
  const scope = scopeOf(contract);
  if (call.name === SHELL) return refused(call, `${SHELL} is not in implicit_scope; use the tools that are offered`);
  if (server_names.has(server) && !scope.has(server)) {
    const [match] = serverScope(server, contract);
    return refused(call, match?.reason ?? "");
  }
  const known = [...catalogue.entries.keys()].join(", ");
  return verdict(call, "fault", `there is no tool ${JSON.stringify(call.name)}; there are ${known}`);
}

function refused(call: Called, reason: string): AgentCallJudged {
  const finding: Finding = {
    step_index: call.index,
    verdict: "block",
    code: "scope.server",
    reason,
    command: null,
    category: null,
  };
  return { ...verdict(call, "refuse", reason), findings: [finding] };
}

type Read = { readonly step: AgentStep | null } | { readonly wrong: string };

function stepFrom(entry: Entry, given: unknown): Read {
  if (entry.is === "finish") return parsed(FinishCall, given, { tool: FINISH, step: () => null });
  if (entry.is === "edit") return editFrom(given);
  if (entry.is === "shell") {
    const step = ({ command, check }: z.output<typeof ShellInput>) =>
      ({ kind: check ? "check" : "cmd", value: command }) as const;
    return parsed(ShellInput, given, { tool: SHELL, step });
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { wrong: "its arguments must be a JSON object" };
  }
  if (entry.is === "server") {
    const { server, tool } = entry;
    const call = { kind: "mcp_call", server, tool: tool.name, ...argumentsOf(tool, given) };
    return parsed(Step, call, { tool: tool.name, step: (step) => step });
  }
  const { skill, name: tool, parameters, effect } = entry.tool;
  const step = { kind: "skill_tool", skill, tool, arguments: given as never, checks: effect === "checks" } as const;
  return parsed(parameters, given, { tool, step: () => step });
}

/** Takes `expect` out of the arguments: orch reads it, and the tool does not receive it. */
function argumentsOf(tool: Tool, given: object): { readonly arguments: object; readonly expect?: unknown } {
  if (!canExpect(tool)) return { arguments: given };
  const { [EXPECT]: expect, ...args } = given as Readonly<Record<string, unknown>>;
  return { arguments: args, ...(expect != null && { expect }) };
}

/** The command that makes the edit, which is judged and recorded like every other. */
function editFrom(given: unknown): Read {
  const read = parsed(FileEdit, given, { tool: EDIT, step: (call) => ({ kind: "cmd", value: editCommand(call) }) });
  if ("wrong" in read || Step.safeParse(read.step).success) return read;
  return { wrong: `the texts of ${EDIT} are too long: make several smaller edits` };
}

function parsed<S extends z.ZodType>(
  schema: S,
  given: unknown,
  { tool, step }: { readonly tool: string; readonly step: (data: z.output<S>) => AgentStep | null },
): Read {
  const result = parseInput(schema, given);
  if (result.ok) return { step: step(result.value) };
  const issues = result.issues.map(({ path, message }) => `${path || "arguments"} ${message}`);
  return { wrong: `the arguments of ${tool} are wrong: ${issues.slice(0, 5).join("; ")}` };
}

/** Trusts the effect that a skill declares for its tool: a skill is code of the operator (D-117). */
function readOnly(
  { skill, tool: name }: SkillToolStep,
  step_index: number,
  { intent }: TaskContract,
  tools: AgentServices["skill_tools"],
): Finding[] {
  const tool = tools.find((one) => one.skill === skill && one.name === name);
  if (!READ_ONLY_INTENTS.has(intent) || tool?.effect !== "changes") return [];
  const reason = `intent ${intent} only looks, and ${skill}.${name} changes something; use another intent`;
  const finding = { step_index, verdict: "block", code: "read_only.changes_state", reason } as const;
  return [{ ...finding, command: null, category: null }];
}

type FoundOn = { readonly findings: Finding[]; readonly scripts: readonly Script[] };

/** Judges a step, and the scripts that it runs, by the rules as they are now, also one that was judged before. */
export async function findingsOn(step: AgentStep, index: number, judging: Judging): Promise<FoundOn> {
  const { contract, home, judge, protectedResources, skill_tools, catalogue, disk } = judging;
  if (step.kind === "skill_tool") return { findings: readOnly(step, index, contract, skill_tools), scripts: [] };
  const world = await judging.worldBefore(index);
  const context = { home, remote: false, world };
  const plan = { contract, steps: [step], safety_level: "standard", intent: contract.intent, context } as const;
  const isShell = step.kind === "cmd" || step.kind === "check";
  const shell = { ...shellContextOf(contract, home), world };
  const own = isShell ? await judge(protectedResourceFindings, step.value, shell, protectedResources(contract)) : [];
  // A file that an agent must not see is not read for it either.
  const readable = own.length > 0 ? undefined : disk;
  const { findings, scripts } = await judgeOnDisk(judge, { ...plan, proved: false }, readable, {
    names_uncovered: false,
  });
  const all = [
    ...own.map((finding) => ({ ...finding, category: null })),
    // What a model writes is literal, so a parameter in it is never unknown (D-147).
    ...findings.filter(({ code }) => code !== "parameter.unknown"),
    ...byTool(step, contract, catalogue),
  ];
  return { findings: all.map((finding) => ({ ...finding, step_index: index })), scripts };
}

/** What the server says of the tool, where the intent only looks. */
function byTool(step: AgentStep, { intent }: TaskContract, { entries }: AgentCatalogue): ToolFinding[] {
  if (step.kind !== "mcp_call" || !READ_ONLY_INTENTS.has(intent)) return [];
  const entry = [...entries.values()].find(
    (one) => one.is === "server" && one.server === step.server && one.tool.name === step.tool,
  );
  const finding = toolFinding(
    `${step.server}.${step.tool}`,
    entry?.is === "server" ? entry.tool.effect : "unknown",
    `intent ${intent}`,
  );
  return finding === null ? [] : [finding];
}

async function effectsOf(
  entry: Entry,
  step: AgentStep,
  index: number,
  judging: Judging,
): Promise<AgentCallJudged["effect"]> {
  if (entry.is === "server") return entry.tool.effect === "reads" ? "reads" : "changes";
  if (entry.is === "skill") return entry.tool.effect === "changes" ? "changes" : "reads";
  if (step.kind !== "cmd" && step.kind !== "check") return "reads";
  const shell = { ...shellContextOf(judging.contract, judging.home), world: await judging.worldBefore(index) };
  const { is } = await judging.judge(effectOf, step.value, shell);
  return is === "unknown" && step.kind === "cmd" ? "changes" : is;
}

export type JudgedCall = Pick<AgentCall, "index" | "step" | "reason">;

type Left = { readonly index: number; readonly step: AgentCall["step"]; readonly world: World | undefined };

/**
 * Computes the files, links and containers that the calls of a run leave for the calls after them. It reads the journal only, so a
 * restart changes nothing. A call that policy allowed counts, even if it failed. The result for the last calls is kept, because orch
 * judges each call after all calls before it.
 */
export function createRunWorld(
  judge: Judge,
  shell: ShellContext,
): (index: number, calls: readonly JudgedCall[]) => Promise<World | undefined> {
  let known: readonly Left[] = [];
  return async (before, calls) => {
    const made = calls.filter(({ index, step, reason }) => index < before && step !== null && reason === null);
    const left: Left[] = [];
    for (const { index, step } of made) {
      const same = known[left.length];
      const world = left.at(-1)?.world;
      if (same?.index === index && same.step === step) left.push(same);
      else {
        known = [];
        left.push({
          index,
          step,
          world: step === null ? world : await judge(worldAfter, step, { ...shell, world, origin: `call ${index}` }),
        });
      }
    }
    if (left.length >= known.length) known = left;
    return left.at(-1)?.world;
  };
}
