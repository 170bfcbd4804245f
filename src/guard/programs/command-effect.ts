// The effect of one resolved command line on the world.
import type { State } from "../interpreter/state.ts";
import { type Effect, READS } from "./effect-rules.ts";
import { effectRuleOf } from "./registry.ts";

/** `argv[0]` is a base name; what a launcher starts is judged by itself. */
export function commandEffect(argv: readonly string[], state: State): Effect {
  const [name = ""] = argv;
  const rule = effectRuleOf(name);
  if (rule === undefined) return { is: "unknown", why: `program ${name} is not known to only look` };
  if (argv.length === 2 && /^--(help|version)$/.test(argv[1] ?? "")) return READS;
  const effect = rule(argv, state);
  return effect.is === "unknown" ? { is: "unknown", why: `this use of ${name} is not known to only look` } : effect;
}
