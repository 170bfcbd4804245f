// When the database was backed up last, for every server of it.
import { isOldBackup } from "../../../domain/backup-age.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";

const COMMAND = "orch backup FILE";

export function LastBackup({ at }: { readonly at: string | null }) {
  if (at !== null && !isOldBackup(at, Date.now()))
    return (
      <p className="muted">
        The last backup was made <Time at={at} />.
      </p>
    );
  return (
    <p>
      <Status tone="ask">{at === null ? "Never backed up" : "Backup is old"}</Status>{" "}
      {at !== null && (
        <>
          The last one was made <Time at={at} />.
        </>
      )}{" "}
      Have it done every night: <code>{COMMAND}</code> <CopyButton text={COMMAND} label="Copy" />
    </p>
  );
}
