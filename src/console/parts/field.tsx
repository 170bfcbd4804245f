// A field with its label, what is said of it, and what is wrong with it. What is inside gets the id that the label names.
import { type ReactNode, useId } from "react";

type FieldWords = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly wrong?: string | null;
};

type Props = FieldWords & { readonly children: (id: string) => ReactNode };

export function Field({ label, hint, wrong = null, children }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {wrong !== null && <span className="wrong">{wrong}</span>}
      {hint !== undefined && <span className="hint">{hint}</span>}
    </div>
  );
}

type TextProps = FieldWords & {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly most?: number;
  readonly required?: boolean;
  readonly placeholder?: string;
};

/** Of several lines. */
export const TextArea = ({ value, onChange, most = 4_096, required = false, placeholder, ...field }: TextProps) => (
  <Field {...field}>
    {(id) => (
      <textarea
        id={id}
        className="input"
        maxLength={most}
        required={required}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

type InputProps = TextProps & {
  readonly type?: "text" | "password";
  readonly autoComplete?: string;
  readonly is_code?: boolean;
};

/** Of one line. */
export const TextField = ({
  value,
  onChange,
  most = 4_096,
  required = false,
  placeholder,
  type = "text",
  autoComplete = "off",
  is_code = false,
  ...field
}: InputProps) => (
  <Field {...field}>
    {(id) => (
      <input
        id={id}
        className={is_code ? "input mono" : "input"}
        type={type}
        autoComplete={autoComplete}
        maxLength={most}
        required={required}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

/** A secret that is typed or pasted. */
export const TokenField = (field: Pick<InputProps, "label" | "hint" | "value" | "onChange" | "autoComplete">) => (
  <TextField {...field} type="password" most={512} required is_code />
);
