// What the kernel refuses to the commands of agents because no mount, network or capability keeps it from them (D-264): set-uid files
// that outlive them, the account's keys, sockets to the host of a virtual machine. A filter of system calls; perl loads it, because no
// tool of util-linux does everywhere.
import { existsSync } from "node:fs";
import { programIn } from "./programs.ts";

type Argument = { readonly at: number } & ({ readonly any_of: number } | { readonly equals: number });
type Rule = { readonly calls: readonly number[]; readonly where?: readonly Argument[]; readonly error: number };
type Machine = { readonly arch: number; readonly prctl: number; readonly rules: readonly Rule[] };

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const SET_ID: number = 0o6000;
/** O_CREAT and O_TMPFILE: without them the mode says nothing. */
const CREATES: number = 0o20000100;
const AF_VSOCK = 40;

const mode = (at: number): readonly Argument[] => [{ at, any_of: SET_ID }];
const creating = (flags: number): readonly Argument[] => [{ at: flags, any_of: CREATES }, ...mode(flags + 1)];

/** openat2 takes its mode, and io_uring its whole call, where no filter sees it. Programs do without them. */
const UNSEEN = [437, 425];

const MACHINES: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: {
    arch: 0xc000003e,
    prctl: 157,
    rules: [
      { calls: [248, 249, 250, ...UNSEEN], error: ENOSYS },
      { calls: [41], where: [{ at: 0, equals: AF_VSOCK }], error: EAFNOSUPPORT },
      { calls: [83, 85, 90, 91], where: mode(1), error: EPERM },
      { calls: [133], where: mode(1), error: EPERM },
      { calls: [258, 259, 268, 452], where: mode(2), error: EPERM },
      { calls: [2], where: creating(1), error: EPERM },
      { calls: [257], where: creating(2), error: EPERM },
    ],
  },
  arm64: {
    arch: 0xc00000b7,
    prctl: 167,
    rules: [
      { calls: [217, 218, 219, ...UNSEEN], error: ENOSYS },
      { calls: [198], where: [{ at: 0, equals: AF_VSOCK }], error: EAFNOSUPPORT },
      { calls: [52], where: mode(1), error: EPERM },
      { calls: [33, 34, 53, 452], where: mode(2), error: EPERM },
      { calls: [56], where: creating(2), error: EPERM },
    ],
  },
};

const PERL = "/usr/bin/perl";
const LOAD = programIn(import.meta.dirname, "load-filter.pl");

let filtering: readonly string[] | undefined;

/** What loads the filter and becomes the command after it, which can gain no rights. Empty where this machine has no perl. */
export function filteringCalls(): readonly string[] {
  filtering ??= loading(MACHINES[process.arch]);
  return filtering;
}

const loading = (machine: Machine | undefined): readonly string[] =>
  machine === undefined || !existsSync(PERL)
    ? []
    : [PERL, "-e", LOAD, "--", String(machine.prctl), programOf(machine).toString("hex")];

/** Classic BPF, as seccomp(2) has it: the code, two jumps over as many instructions, and an operand. */
type Instruction = readonly [code: number, if_true: number, if_false: number, operand: number];

const [LOAD_WORD, IF_EQUAL, IF_AT_LEAST, IF_ANY_OF, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const NUMBER: Instruction = [LOAD_WORD, 0, 0, 0];
const ARCH: Instruction = [LOAD_WORD, 0, 0, 4];
const ALLOW: Instruction = [RETURN, 0, 0, 0x7fff0000];
const refuse = (error: number): Instruction => [RETURN, 0, 0, 0x00050000 | error];
/** Above it are the numbers of another set of calls on the same machine. */
const OTHER_SET = 0x40000000;

function programOf({ arch, rules }: Machine): Buffer {
  const program: Instruction[] = [
    ...([ARCH, [IF_EQUAL, 1, 0, arch], refuse(ENOSYS), NUMBER] as Instruction[]),
    ...([[IF_AT_LEAST, 0, 1, OTHER_SET], refuse(ENOSYS)] as Instruction[]),
    ...rules.flatMap(({ calls, ...rule }) => calls.flatMap((call) => refusing(call, rule))),
    ALLOW,
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, if_true, if_false, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(if_true, at * 8 + 2);
    bytes.writeUInt8(if_false, at * 8 + 3);
    bytes.writeUInt32LE(operand, at * 8 + 4);
  }
  return bytes;
}

/** Refused where all the arguments are as said. */
function refusing(call: number, { where = [], error }: Pick<Rule, "where" | "error">): Instruction[] {
  const length = where.length * 2;
  return [
    [IF_EQUAL, 0, length + 2, call],
    ...where.flatMap((argument, nth): Instruction[] => {
      const to_allow = length - nth * 2 - 1;
      const load: Instruction = [LOAD_WORD, 0, 0, 16 + argument.at * 8];
      return "equals" in argument
        ? [load, [IF_EQUAL, 0, to_allow, argument.equals]]
        : [load, [IF_ANY_OF, 0, to_allow, argument.any_of]];
    }),
    refuse(error),
    ALLOW,
  ];
}
