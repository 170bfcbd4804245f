// The YAML file of a version: downloaded, or in the clipboard.
import { call } from "../../operations.ts";

type Named = {
  readonly sop_id: string;
  readonly intent: string;
  readonly target_signature: string;
  readonly version: number;
};

/** Only letters, digits, dots and hyphens: values of a target may be any text. */
export const fileNameOf = ({ intent, target_signature, version }: Omit<Named, "sop_id">): string => {
  const target = target_signature.replace(/[a-z0-9_]+=/g, "").replace(/[^A-Za-z0-9.]+/g, "-");
  return `${[intent, target, `v${version}`].filter((part) => part.replace(/-/g, "") !== "").join("-")}.sop.yaml`;
};

export async function downloadSopFile(sop: Named): Promise<void> {
  const { file } = await call("export_sop", { sop_id: sop.sop_id });
  const address = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileNameOf(sop);
  link.click();
  URL.revokeObjectURL(address);
}

export async function copySopFile({ sop_id }: Named): Promise<void> {
  const { file } = await call("export_sop", { sop_id });
  await navigator.clipboard.writeText(file);
}
