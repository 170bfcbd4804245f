// What the token of the session may not do: which scope it lacks, and which token has it.
import { logOut } from "../log-out.ts";
import { Notice } from "./notice.tsx";
import { GIVES_SCOPE, type SessionScope } from "./scopes.ts";

type Props = { readonly scope: SessionScope; readonly what: string };

export const MissingScope = ({ scope, what }: Props) => (
  <Notice tone="stop">
    <p>
      {what} needs the scope <code>{scope}</code>, which the token of this session does not have.
    </p>
    <p>
      {GIVES_SCOPE[scope]}{" "}
      <button type="button" className="link-button" onClick={() => void logOut()}>
        Log out, and log in with it
      </button>
    </p>
  </Notice>
);
