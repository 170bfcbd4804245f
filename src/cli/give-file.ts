// Gives a file that a command made: written where the command line says, or on stdout.
import { printable, printableLines } from "../domain/printable.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { writeText } from "./write-file.ts";

type Destination = { readonly file: string | undefined; readonly force: boolean };

/** Text on a terminal is made printable; all other output is exact. */
export async function giveFile(
  context: CommandContext,
  answer: { readonly file: string },
  { file, force }: Destination,
): Promise<ExitCode> {
  const { out, stdout } = context;
  if (file !== undefined) {
    await writeText(context, file, answer.file, { force });
    out.answer({ written: file }, () => [`written to ${printable(file)}`]);
  } else if (!out.json && stdout.isTTY !== true) out.raw(answer.file);
  else out.answer(answer, () => printableLines(answer.file));
  return EXIT.done;
}
