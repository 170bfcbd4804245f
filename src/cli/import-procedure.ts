// Stores a procedure as a candidate, and nothing where the same one is in use.

import type { Sop } from "../domain/sop.ts";
import { importSop } from "../operations/shapes/sops.ts";
import { writeSopFile } from "../schema/sop-file.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { tried } from "./failure.ts";
import { allSops } from "./find-sop.ts";
import { inFile } from "./read-file.ts";
import { candidateLines, warningLines } from "./show-sop.ts";

/** `file`: where the text is from, when a user may correct it there. */
export async function importProcedure(context: CommandContext, text: string, file?: string): Promise<ExitCode> {
  const { call, out } = context;
  const same = await activeLike(context, text);
  if (same !== null) {
    out.answer({ sop: same, approval_id: null }, () => [
      `${out.paint("bold", same.sop_id)}  is active with the same content, version ${same.version}; nothing was stored`,
    ]);
    return EXIT.done;
  }
  const storing = call(importSop, { file: text });
  const stored = await (file === undefined ? storing : inFile(file, storing));
  for (const line of warningLines(stored.warnings)) out.note(line);
  out.answer(stored, () => candidateLines(stored, out));
  return EXIT.done;
}

/** The active SOP whose export is exactly this text. */
async function activeLike({ call }: CommandContext, text: string): Promise<Sop | null> {
  const active = await tried(allSops(call, { status: "active" }));
  return (active.ok && active.value.sops.find((sop) => writeSopFile(sop) === text)) || null;
}
