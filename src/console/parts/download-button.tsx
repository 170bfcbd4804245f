// Saves a text as a file. It is made here, so nothing of it is asked for again.
import { Icon } from "./icon.tsx";

type Props = { readonly text: string | (() => Promise<string>); readonly file: string; readonly label: string };

export const DownloadButton = ({ text, file, label }: Props) => (
  <button type="button" className="button quiet small" onClick={() => void save(text, file)}>
    <Icon name="file" />
    {label}
  </button>
);

async function save(text: Props["text"], file: string): Promise<void> {
  const whole = typeof text === "string" ? text : await text();
  const address = URL.createObjectURL(new Blob([whole], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
