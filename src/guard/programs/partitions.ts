// Programs that partition disks.
import { has, parseOptions } from "../words/options.ts";
import { onlyWith, unless } from "./device-write.ts";
import { type EffectRule, mayBeOption, options, type ProgramRecord } from "./record.ts";

const partedEffect: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "a", long: ["align"] });
  if (has(parsed, "l", "list")) return "reads";
  const verb = parsed.operands[1];
  if (verb === undefined || mayBeOption(verb)) return "unknown";
  if (/^(print|unit|align-check|version|help)$/.test(verb)) {
    return parsed.operands.some((word) => /^(mk|rm|resize|set|toggle|name|rescue)/.test(word))
      ? { changes: "changes disks or mounts" }
      : "reads";
  }
  return { changes: "changes disks or mounts" };
};

const changesDisks = { changes: "changes disks or mounts" };
const looks = options({ reads: "l x d J s list dump json verify show-size", otherwise: changesDisks });

export const PARTITIONS: readonly ProgramRecord[] = [
  {
    names: "sgdisk",
    effect: options({
      why: "changes disks or mounts",
      reads: "p i v",
      otherwise: changesDisks,
      changes: "Z z o n d t c g",
    }),
    alwaysBlocked: onlyWith(
      /^-\w*[ZzondtcgGlRrumsACUe]|^--(zap|clear|new|delete|typecode|mbrtogpt|load|replicate|randomize)/,
    ),
    suspected: "anywhere",
  },
  {
    names: "parted",
    effect: partedEffect,
    alwaysBlocked: onlyWith(
      /^(mklabel|mktable|mkpart|mkpartfs|mkfs|rm|resizepart|resize|move|set|toggle|name|rescue)\b/,
    ),
    suspected: "anywhere",
  },
  { names: "fdisk", effect: looks, alwaysBlocked: unless(/^(-l|--list|-s|-x)/), suspected: "anywhere" },
  {
    names: "sfdisk",
    effect: looks,
    alwaysBlocked: unless(/^(-l|-d|-J|-s|-V|-F|--list|--dump|--json|--show-|--verify)/),
    suspected: "anywhere",
  },
  { names: "gdisk", effect: looks, alwaysBlocked: unless(/^-l/) },
  { names: "cfdisk", effect: { changes: "changes disks or mounts" }, alwaysBlocked: unless(null) },
  { names: "cgdisk", alwaysBlocked: unless(null) },
];
