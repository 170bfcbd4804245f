// What can be done with a version. What would change which steps run leads to an approval.
import { Link } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { useAction, useApprovalOf } from "../../live/use-operation.ts";
import { call, type OperationAnswer } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { ActionDialog, Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { useStored } from "../../parts/hooks.ts";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/notice.tsx";
import { fileNameOf, type NamedVersion } from "../sops/sop-keys.ts";
import type { Looking } from "./use-look.ts";

/** As its page has it. */
export type ShownSop = OperationAnswer<"get_sop">;

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

// The YAML file of a version: downloaded, or in the clipboard.

async function downloadSopFile(sop: NamedVersion): Promise<void> {
  const { file } = await call("export_sop", { sop_id: sop.sop_id });
  const address = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileNameOf(sop);
  link.click();
  URL.revokeObjectURL(address);
}

async function copySopFile({ sop_id }: NamedVersion): Promise<void> {
  const { file } = await call("export_sop", { sop_id });
  await navigator.clipboard.writeText(file);
}

// The question before a rollback: the steps of an earlier version become a new one, which asks for its approval.

type RollbackDialogProps = { readonly sop: ShownSop["sop"]; readonly onClose: () => void };

function RollbackDialog({ sop: { sop_id, version }, onClose }: RollbackDialogProps) {
  const open = useStored();
  const back = useAction("rollback_sop");
  return (
    <ActionDialog
      onClose={onClose}
      title={`Roll back to version ${version}?`}
      description={`A new version with the steps of version ${version} is stored and asks for an approval, which shows the difference. Until then nothing changes: tasks go on with the version in use.`}
      problem={back.error}
      busy={back.isPending}
      actions={[
        {
          label: "Ask for the rollback",
          look: "primary",
          run: () => back.mutate({ sop_id }, { onSuccess: open }),
        },
      ]}
    />
  );
}

// Copies the version in use to another target: a candidate there, on trial until a run on that target is proved.

type CopyDialogProps = { readonly sop: ShownSop["sop"]; readonly onClose: () => void };

const TITLE = "Copy to another target";
const DESCRIPTION = "The copy is a candidate: it asks for its promotion, and its first run asks for an approval.";

function CopyDialog({ sop: { sop_id, target: old }, onClose }: CopyDialogProps) {
  const copy = useAction("copy_sop");
  const [target, setTarget] = useState<Readonly<Record<string, string>>>(old);
  const [with_parameters, setWithParameters] = useState(true);
  if (copy.data !== undefined) return <Copied answer={copy.data} onClose={onClose} />;
  const is_same = Object.entries(target).every(([name, value]) => old[name] === value);
  return (
    <ActionDialog
      onClose={onClose}
      title={TITLE}
      description={DESCRIPTION}
      problem={copy.error}
      busy={copy.isPending}
      actions={[
        {
          label: "Store the copy",
          look: "primary",
          disabled: is_same,
          hint: is_same ? "Change a value of the target first" : undefined,
          run: () => copy.mutate({ sop_id, target, with_parameters }),
        },
      ]}
    >
      {Object.entries(target).map(([name, value]) => (
        <TextField
          key={name}
          label={name}
          is_code
          value={value}
          onChange={(text) => setTarget({ ...target, [name]: text })}
        />
      ))}
      <label className="row">
        <input
          type="checkbox"
          checked={with_parameters}
          onChange={({ target: field }) => setWithParameters(field.checked)}
        />
        Put parameters in the place of the old target's values where that does not change what runs
      </label>
    </ActionDialog>
  );
}

type Copy = { readonly answer: OperationAnswer<"copy_sop">; readonly onClose: () => void };

function Copied({ answer: { sop, approval_id, literals }, onClose }: Copy) {
  return (
    <Dialog onClose={onClose} title={TITLE} description={DESCRIPTION}>
      <Notice tone="ok">
        <p>
          Stored as version {sop.version} of {sop.intent} on <InlineCode text={sop.target_signature} />.
        </p>
      </Notice>
      {literals.length > 0 && (
        <Notice tone="ask">
          <p>These steps still name values of the old target. Change them where they should follow:</p>
          <ul>
            {literals.map(({ step_index, key, value }) => (
              <li key={`${step_index} ${key}`}>
                Step {step_index}: <InlineCode text={value} />, which was {key}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="actions">
        <Link to="/sops/$sop_id" params={{ sop_id: sop.sop_id }} className="button" onClick={onClose}>
          Show the copy
        </Link>
        {approval_id !== null && (
          <Link to="/approvals/$approval_id" params={{ approval_id }} className="button primary">
            Review its promotion
          </Link>
        )}
      </div>
    </Dialog>
  );
}
