// What can be done with a version. What would change which steps run leads to an approval.
import { Link } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { useApprovalOf } from "../../live/use-approval-of.ts";
import { Icon } from "../../parts/icon.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { copySopFile, downloadSopFile } from "./export-file.ts";
import { RollbackDialog } from "./rollback-dialog.tsx";
import type { ShownSop } from "./shown-sop.ts";
import type { Looking } from "./use-look.ts";

type Props = { readonly shown: ShownSop; readonly look: Looking };

export function SopActions({ shown: { sop }, look }: Props) {
  const [open, setOpen] = useState<"rollback" | "copy" | null>(null);
  const approval_id = useApprovalOf()(sop.sop_id);
  const close = () => setOpen(null);
  return (
    <div className="actions">
      {approval_id !== undefined && (
        <Link to="/approvals/$approval_id" params={{ approval_id }} className="button primary">
          Review it
        </Link>
      )}
      <button
        type="button"
        className="button"
        onClick={look.start}
        disabled={look.is_running}
        title="Runs its checks and previews on the target, and no step that changes something"
      >
        Look now
      </button>
      {sop.status === "deprecated" && (
        <button type="button" className="button" onClick={() => setOpen("rollback")}>
          Roll back to it
        </button>
      )}
      <Link to="/teach" search={{ sop_id: sop.sop_id }} className="button">
        <Icon name="teach" /> Change
      </Link>
      <More sop={sop} onCopy={() => setOpen("copy")} />
      {open === "rollback" && <RollbackDialog sop={sop} onClose={close} />}
      {open === "copy" && <CopyDialog sop={sop} onClose={close} />}
    </div>
  );
}

function More({ sop, onCopy }: { readonly sop: ShownSop["sop"]; readonly onCopy: () => void }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button" aria-label="More actions">
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Item className="menu-item" onSelect={() => void downloadSopFile(sop)}>
            <Icon name="file" /> Download as YAML
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void copySopFile(sop)}>
            <Icon name="copy" /> Copy as YAML
          </DropdownMenu.Item>
          {sop.status === "active" && (
            <DropdownMenu.Item className="menu-item" onSelect={onCopy}>
              <Icon name="servers" /> Copy to another target
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
