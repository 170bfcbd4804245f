// The login: by the token of the service, or by the one-time link of `orch console`.
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useSignal } from "../../live/signal.ts";
import { TextField, TokenField } from "../../parts/field.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Mark } from "../../parts/icon.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { type CallProblem, request } from "../../request.ts";
import { askOtherTabs, type ConsoleSession, keepSession, session } from "../../session.ts";

type Credentials = { readonly link: string } | { readonly token: string; readonly name?: string };

const logIn = (body: Credentials): Promise<ConsoleSession> =>
  request<ConsoleSession>("/console/login", { method: "POST", body });

export function LoginPage() {
  useTitle("Log in");
  const navigate = useNavigate();
  const { to } = useSearch({ from: "/login" });
  const known = useSignal(session);
  const { mutate, error, isPending } = useMutation<ConsoleSession, CallProblem, Credentials>({
    mutationFn: logIn,
    onSuccess: keepSession,
  });

  useEffect(() => {
    const link = takeOneTimeLink();
    if (link === null) askOtherTabs();
    else mutate({ link });
  }, [mutate]);

  useEffect(() => {
    if (known !== null) void navigate({ to: to ?? "/", replace: true });
  }, [known, navigate, to]);

  const wrong_name = error?.issues.find(({ path }) => path === "name")?.message ?? null;
  return (
    <main className="page login">
      <div className="card card-body stack">
        <h1 className="row">
          <Mark /> orch
        </h1>
        {error !== null && wrong_name === null && <ProblemNotice problem={error} />}
        <TokenForm
          busy={isPending}
          wrong_name={wrong_name}
          onSubmit={(token, name) => mutate(name.trim() === "" ? { token } : { token, name })}
        />
      </div>
    </main>
  );
}

// Asks for the token of the service, and for the name that is recorded with decisions.

const NAME = "orch.name";

type Props = {
  readonly busy: boolean;
  readonly wrong_name: string | null;
  readonly onSubmit: (token: string, name: string) => void;
};

function TokenForm({ busy, wrong_name, onSubmit }: Props) {
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

// The one-time link of `orch console` is in the fragment of the address, which no server and no log is sent. It is taken out of
// the address at once, before anything can copy it.

let link: string | null = /^#link=([\w-]{16,64})$/.exec(location.hash)?.[1] ?? null;
if (link !== null) history.replaceState(history.state, "", location.pathname + location.search);

/** Null from the second time on: it opens one session. */
function takeOneTimeLink(): string | null {
  const taken = link;
  link = null;
  return taken;
}
