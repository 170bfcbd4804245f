// The login: by the token of the service, or by the one-time link of `orch console`.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useSignal } from "../../live/signal.ts";
import { ProblemNotice } from "../../parts/notice.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { Problem, request } from "../../request.ts";
import { keepSession, type Session, session } from "../../session.ts";
import { Mark } from "../../shell/mark.tsx";
import { takeOneTimeLink } from "./one-time-link.ts";

const NAME = "orch.name";

const logIn = (body: { readonly token: string } | { readonly link: string }, name: string): Promise<Session> =>
  request<Session>("/console/login", { method: "POST", body: name === "" ? body : { ...body, name } });

export function LoginPage() {
  useTitle("Log in");
  const navigate = useNavigate();
  const { to } = useSearch({ from: "/login" });
  const known = useSignal(session);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [token, setToken] = useState("");
  const [name, setName] = useState(() => localStorage.getItem(NAME) ?? "");
  const [busy, setBusy] = useState(false);

  const enter = (begun: Promise<Session>) => {
    setBusy(true);
    begun
      .then(keepSession, (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        setProblem(error);
      })
      .finally(() => setBusy(false));
  };

  useEffect(() => {
    const link = takeOneTimeLink();
    if (link !== null) enter(logIn({ link }, ""));
  }, []);

  useEffect(() => {
    if (known !== null) void navigate({ href: to ?? "/", replace: true });
  }, [known, navigate, to]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    localStorage.setItem(NAME, name);
    enter(logIn({ token }, name));
  };

  return (
    <main className="page login">
      <form className="card card-body stack" onSubmit={submit}>
        <h1 className="row">
          <Mark /> orch
        </h1>
        {problem !== null && <ProblemNotice problem={problem} />}
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
            The token of the service, or run <code>orch console</code> where the server runs: it opens this page without one.
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
    </main>
  );
}
