// Asks for the token of the service, and for the name that is recorded with decisions.
import { type FormEvent, useState } from "react";
import { TextField, TokenField } from "../../parts/field.tsx";

const NAME = "orch.name";

type Props = {
  readonly busy: boolean;
  readonly wrong_name: string | null;
  readonly onSubmit: (token: string, name: string) => void;
};

export function TokenForm({ busy, wrong_name, onSubmit }: Props) {
  const [token, setToken] = useState("");
  const [name, setName] = useState(() => localStorage.getItem(NAME) ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    localStorage.setItem(NAME, name);
    onSubmit(token, name);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TokenField
        label="Token"
        autoComplete="current-password"
        hint={
          <>
            The token of the service. Or run <code>orch console</code> where the server runs: it opens this page without
            one.
          </>
        }
        value={token}
        onChange={setToken}
      />
      <TextField
        label="Your name"
        hint="It is recorded with what you decide."
        autoComplete="username"
        most={256}
        wrong={wrong_name}
        value={name}
        onChange={setName}
      />
      <button type="submit" className="button primary" disabled={busy}>
        Log in
      </button>
    </form>
  );
}
