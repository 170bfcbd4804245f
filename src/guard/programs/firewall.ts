// Firewalls.
import { has } from "../words/options.ts";
import { byOptions, type EffectRule, options, type ProgramRecord, verbs } from "./record.ts";

const FIREWALL = "changes the firewall";

const nft = byOptions("f I D s file includepath", (parsed) => {
  if (has(parsed, "c", "check")) return "reads";
  const [verb = ""] = parsed.operands;
  if (has(parsed, "f", "file")) return { changes: FIREWALL };
  if (/^(list|describe|monitor|get)$/.test(verb)) return "reads";
  return /^(add|create|delete|destroy|flush|insert|replace|rename|reset|import)$/.test(verb)
    ? { changes: FIREWALL }
    : "unknown";
});

const firewalld: EffectRule = ([, ...args]) => {
  if (args.some((arg) => /^--(add|remove|set|new|delete|reload|complete|runtime|panic-o|change|load|direct)/.test(arg)))
    return { changes: FIREWALL };
  return args.length > 0 &&
    args.every((arg) => /^--(list|get|query|info|state|zone|permanent|version|help|policy)/.test(arg))
    ? "reads"
    : "unknown";
};

const iptables = options({
  why: FIREWALL,
  changes: `A D I R F X P N Z E append delete insert replace flush zero delete-chain new-chain policy rename-chain`,
  reads: "L S C V list list-rules check version",
  valued: "t p s d j i o m table",
  otherwise: "unknown",
});

export const FIREWALLS: readonly ProgramRecord[] = [
  { names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", effect: iptables },
  { names: "iptables-save ip6tables-save", effect: options({ why: "writes files", changes: "f file", valued: "f t" }) },
  { names: "iptables-restore ip6tables-restore", effect: options({ dry: "t test", otherwise: { changes: FIREWALL } }) },
  { names: "nft", effect: nft },
  {
    names: "ipset",
    effect: verbs(FIREWALL, "list test version -L", "create add del flush destroy restore swap rename"),
  },
  {
    names: "conntrack",
    effect: options({
      why: FIREWALL,
      changes: "D F I U delete flush create update",
      reads: "L G C S E dump get count stats event",
      otherwise: "unknown",
    }),
  },
  {
    names: "ufw",
    effect: verbs(
      FIREWALL,
      "status version show",
      "allow deny reject limit delete enable disable reset reload insert prepend route logging default",
      { rules: [["app", verbs(FIREWALL, "list info", "update default")]] },
    ),
  },
  { names: "firewall-cmd firewall-offline-cmd", effect: firewalld },
];
