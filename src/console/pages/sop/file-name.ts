// The name that an exported procedure is given.

type VersionName = {
  readonly intent: string;
  readonly target_signature: string;
  readonly version: number;
};

export type NamedVersion = VersionName & { readonly sop_id: string };

/** Only letters, digits, dots and hyphens: values of a target may be any text. */
export const fileNameOf = ({ intent, target_signature, version }: VersionName): string => {
  const target = target_signature.replace(/[a-z0-9_]+=/g, "").replace(/[^A-Za-z0-9.]+/g, "-");
  return `${[intent, target, `v${version}`].filter((part) => part.replace(/-/g, "") !== "").join("-")}.sop.yaml`;
};
