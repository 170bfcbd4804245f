// The pages that are made from the code. `npm run docs` writes them; a test compares.
import { commandLinePage } from "./command-line-page.ts";
import { configurationPage } from "./configuration-page.ts";
import { programsPage, registryFile } from "./guard-pages.ts";
import { operationsPage } from "./operations-page.ts";
import { pipelinePage } from "./pipeline-page.ts";

export const GENERATED_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/api.md": operationsPage,
  "docs/command-line.md": commandLinePage,
  "docs/configuration.md": configurationPage,
  "docs/pipeline.md": pipelinePage,
  "src/guard/PROGRAMS.md": programsPage,
  "src/guard/programs/all-records.ts": registryFile,
};
