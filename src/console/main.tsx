// The console in the browser: queries, live updates, and the router.
import "./styles/main.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CallProblem } from "./request.ts";
import { createConsoleRouter } from "./router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

// Radix adds one style element while a dialog locks the page.
setNonce(document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "");

const MOST_TRIES = 3;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failed, error) => failed < MOST_TRIES && error instanceof CallProblem && isPassing(error),
    },
  },
});

const isPassing = ({ status }: CallProblem): boolean => status === 0 || status === 429 || status === 503;

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={createConsoleRouter(queries)} />
    </QueryClientProvider>
  </StrictMode>,
);
