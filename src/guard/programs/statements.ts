// Statements for databases: one that plainly asks looks, one that plainly writes changes the data.
import type { State } from "../interpreter/state.ts";
import { type Effect, isLegible, strongest } from "./record.ts";

export const DATABASE = "changes the database";

const ASKS = /^(select|show|explain|describe|desc|values|table|with)\b/i;

const WRITES =
  /^(insert|update|delete|drop|alter|create|truncate|grant|revoke|merge|replace|vacuum|reindex|rename|load)\b/i;

/** Words and functions that change something even where a statement begins as a question. */
const ACTS =
  /\b(insert|update|delete|drop|alter|create|truncate|grant|revoke|into|merge|replace|call|copy|lock|setval|nextval|set_config|load_file|load_extension|writefile|edit|dblink\w*|lo_\w+|pg_(terminate|cancel|reload|rotate|switch|promote|create|drop|start|stop|backup|advisory|read|ls|notify|logical|replication_(slot_adv|origin))\w*|sleep|kill)\b/i;

const PRAGMA =
  /^pragma\s+(integrity_check|quick_check|table_info|table_list|database_list|index_list|index_info|foreign_key_list|foreign_key_check)(\s*\([^()]*\))?$|^pragma\s+(user_version|journal_mode|page_count|page_size|freelist_count|encoding|compile_options)$/i;

const META =
  /^\\(l|dt?|d\w*|z|conninfo|x|timing|sf|sv|encoding|q|pset|a|t)\+?(\s|$)|^\.(tables|schema|databases|indexes|indices|dbinfo|headers?|mode|width|timeout|quit|show|version)\b/;

/** Strings, comments and quoted names away, then statement by statement. */
function statements(sql: string): Effect {
  // MySQL runs the text of a comment of this kind.
  if (!isLegible(sql) || sql.includes("/*!")) return "unknown";
  const bare = sql.replace(/--(?=\s|$).*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`/g, (text) =>
    /^[-/]/.test(text) ? " " : "''",
  );
  const parts = bare.split(/;|\\[gG]\s*$|\n(?=\s*[\\.])/).map((part) => part.trim());
  const effects = parts.filter((part) => part !== "").map(statement);
  return strongest(effects);
}

function statement(text: string): Effect {
  if (META.test(text) || PRAGMA.test(text)) return "reads";
  if (WRITES.test(text)) return { changes: DATABASE };
  return ASKS.test(text) && !ACTS.test(text) ? "reads" : "unknown";
}

/** What is typed at a client: its options, else its input. Nothing at all is nothing known. */
export function effectOfStatements(given: readonly (string | null)[], state: State): Effect {
  const texts = given.length > 0 ? given : (state.io.stdin ?? []);
  if (texts.length === 0) return "unknown";
  const effects = texts.map((text) => statements(text ?? ""));
  return strongest(effects);
}
