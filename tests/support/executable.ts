import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterwards } from "./afterwards.ts";
import { MAIN } from "./sources.ts";

const PORTAL = join(import.meta.dir, "../../adapters/portal/index.html");

/**
 * The sources as one file. The tests start the program some two hundred times, and reading hundreds of modules is
 * two thirds of what a start costs.
 */
const bundle = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-program-"));
  afterwards('rm -rf "$1"', folder);
  await Bun.build({
    entrypoints: [MAIN],
    outdir: folder,
    // Its assets are found wherever it is started.
    publicPath: `${folder}/`,
    target: "bun",
    // Built when a test first asks for it, as from the sources.
    plugins: [
      {
        name: "portal",
        setup: (build) =>
          void build.onResolve({ filter: /\/portal\/index\.html$/ }, () => ({ path: PORTAL, external: true })),
      },
    ],
    define: {
      "process.platform": JSON.stringify(process.platform),
      "process.arch": JSON.stringify(process.arch),
    },
  });
  return [process.execPath, join(folder, "main.js")];
};

const { TEST_BINARY } = process.env;

/** The command that runs the program: the compiled one if there is one to test, its sources otherwise. */
export const PROGRAM: readonly string[] = TEST_BINARY === undefined ? await bundle() : [TEST_BINARY];
