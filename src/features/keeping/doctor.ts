// Checks the directory of archived journals, where one is set. What of it the database knows, the server examines before it archives.
import { access, constants, stat } from "node:fs/promises";
import { broken, type Diagnosis, fallsBack, works } from "../../doctor/examination.ts";

export async function examineArchive(archive_dir: string): Promise<Diagnosis> {
  const status = await stat(archive_dir).catch((error: NodeJS.ErrnoException) => error);
  if (status instanceof Error)
    return status.code === "ENOENT"
      ? fallsBack(
          `${archive_dir} is not there`,
          "The first archiving creates it. Where journals were archived already, mount it: they cannot be read.",
        )
      : broken(`${archive_dir} cannot be read (${status.code})`, FIX);
  if (!status.isDirectory()) return broken(`${archive_dir} is not a directory`, "Set ORCH_ARCHIVE_DIR to another one.");
  return access(archive_dir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => works(archive_dir),
    () => broken(`this account cannot read and write ${archive_dir}`, FIX),
  );
}

const FIX = "Give orch the directory with chown, or another one with ORCH_ARCHIVE_DIR.";
