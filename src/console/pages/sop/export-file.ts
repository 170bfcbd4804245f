// The YAML file of a version: downloaded, or in the clipboard.
import { call } from "../../operations.ts";
import { fileNameOf, type NamedVersion } from "./file-name.ts";

export async function downloadSopFile(sop: NamedVersion): Promise<void> {
  const { file } = await call("export_sop", { sop_id: sop.sop_id });
  const address = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileNameOf(sop);
  link.click();
  URL.revokeObjectURL(address);
}

export async function copySopFile({ sop_id }: NamedVersion): Promise<void> {
  const { file } = await call("export_sop", { sop_id });
  await navigator.clipboard.writeText(file);
}
