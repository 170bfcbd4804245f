// orch service install: writes the units of systemd and shows them. What starts a service is left to its administrator.

import { join, resolve } from "node:path";
import { z } from "zod";
import { UserName } from "../../config/values.ts";
import { ROOT } from "../../own-file.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, tried } from "../failure.ts";
import { readCredentials } from "../service/credentials.ts";
import { readServiceSettings } from "../service/settings-file.ts";
import { type Service, unitsOf } from "../service/units.ts";
import { writeText } from "../write-file.ts";

/** What the units read at each start. */
const SETTINGS_FILE = "/etc/orch/orch.env";
const UNITS = "/etc/systemd/system";
const CREDENTIALS = "/etc/orch/credentials";

const Given = z.object({
  user: UserName.default("orch"),
  to: z.string().default(UNITS),
  print: z.boolean().default(false),
  force: z.boolean().default(false),
});

export const installService = command(Given, async (context, { user, to, print, force }) => {
  const service = await serviceOf(context, user);
  const units = unitsOf(service);
  const passing = service.program.filter(isPassing);
  if (passing.length > 0) context.out.note(passingNote(passing));
  const shown = Object.entries(units).flatMap(([name, text]) => [
    `# ${join(to, name)}`,
    ...text.trimEnd().split("\n"),
    "",
  ]);
  if (print) {
    context.out.answer({ units, written: [] }, () => shown.slice(0, -1));
    return EXIT.done;
  }
  const written: string[] = [];
  for (const [name, text] of Object.entries(units)) {
    const path = resolve(context.cwd, to, name);
    const done = await tried(writeText(context, path, text, { force, mode: 0o644 }));
    if (!done.ok) return failed({ ...done.failure, fix: "To see the units: orch service install --print" });
    written.push(path);
  }
  context.out.answer({ units, written }, () => [...shown, ...nextSteps(user)]);
  return EXIT.done;
});

/** A program that the next update of a home or of a cache takes away, or that the account of the service cannot read. */
export const isPassing = (path: string): boolean => /^\/(home|root)\/|\/_npx\//.test(path);

const passingNote = (paths: readonly string[]): string =>
  `The units run ${paths.join(" and ")}: a place of one account, or of a cache, which the account of the service may not read and an update may remove. Install orch and Node for all accounts, such as with npm install -g, and install the units again.`;

const nextSteps = (user: string): string[] => [
  "Written, and not enabled. What is left to do, as root:",
  `  id ${user} || useradd --system --create-home --home-dir /home/${user} --shell /usr/sbin/nologin ${user}`,
  "  systemctl daemon-reload",
  "  systemctl enable --now orch.service orch-backup.timer",
];

async function serviceOf(
  { environment, out }: Pick<CommandContext, "environment" | "out">,
  user: string,
): Promise<Service> {
  const { files: credentials, fault } = await readCredentials(CREDENTIALS);
  if (fault !== null) out.note(fault);
  const { drain_seconds, ignored, continued } = await readServiceSettings(SETTINGS_FILE, environment);
  if (ignored.length > 0)
    out.note(`${SETTINGS_FILE}, line ${ignored.join(", ")}: no NAME=value, so systemd leaves it out.`);
  if (continued.length > 0)
    out.note(
      `${SETTINGS_FILE}, line ${continued.join(", ")}: a comment that ends in \\: systemd before version 254 takes the next line for a part of it.`,
    );
  return {
    program: [process.execPath, join(ROOT, "src/orch.cjs")],
    user,
    drain_seconds,
    credentials,
  };
}
