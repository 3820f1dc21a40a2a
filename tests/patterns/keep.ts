import { allPatterns, schemaPatterns } from "./sources.ts";
import { keepVerdicts } from "./verdicts.ts";

// `bun run patterns`: analyses what has no kept verdict, and writes tests/patterns/verdicts.txt.
await keepVerdicts([...(await allPatterns()).written, ...(await schemaPatterns())]);
