import { makeScratch } from "./scratch.ts";

/* Tries a test that does not end. `scratch.test.ts` ends it. */

await makeScratch().try({ tests: ["./tests/run/hanging.ts"], run: "gate" });
