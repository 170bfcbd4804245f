// Asks for the token of the service, and for the name that is recorded with decisions.
import { type FormEvent, useState } from "react";

const NAME = "orch.name";

type Props = { readonly busy: boolean; readonly onSubmit: (token: string, name: string) => void };

export function TokenForm({ busy, onSubmit }: Props) {
  const [token, setToken] = useState("");
  const [name, setName] = useState(() => localStorage.getItem(NAME) ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    localStorage.setItem(NAME, name);
    onSubmit(token, name);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor="token">Token</label>
        <input
          id="token"
          className="input mono"
          type="password"
          autoComplete="current-password"
          required
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <span className="hint">
          The token of the service. Or run <code>orch console</code> where the server runs: it opens this page without
          one.
        </span>
      </div>
      <div className="field">
        <label htmlFor="name">Your name</label>
        <input
          id="name"
          className="input"
          autoComplete="username"
          maxLength={256}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <span className="hint">It is recorded with what you decide.</span>
      </div>
      <button type="submit" className="button primary" disabled={busy}>
        Log in
      </button>
    </form>
  );
}
