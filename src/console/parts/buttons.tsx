// Copies a text or saves it as a file, at a button.
import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

// Copies a text, and says that it did.

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="button quiet small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name={copied ? "check" : "copy"} />
      {copied ? "Copied" : label}
    </button>
  );
}

// Saves a text as a file. It is made here, so nothing of it is asked for again.

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
