import { gate } from "./gate.ts";
import { perform } from "./perform.ts";
import { GATE_RUNTIME, script } from "./suite.ts";

/*
 * `bun run check`: lint, types and unused code, beside the build and all tests of the gate.
 */

const CHECKS = [
  { name: "lint", command: script("lint") },
  { name: "types", command: script("types:quick") },
  { name: "unused code", command: script("unused") },
];

Object.assign(process.env, GATE_RUNTIME);

await perform((ground) => gate(ground, [], CHECKS));
