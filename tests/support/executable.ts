import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTRY_POINTS } from "../../app/entry-points.ts";
import { afterExit } from "./after-exit.ts";

const PORTAL = join(import.meta.dir, "../../adapters/portal/index.html");

/**
 * Compiles the sources into one program with bytecode. The tests start it some two hundred times, and reading hundreds
 * of modules would take most of each start.
 */
const build = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-program-"));
  afterExit('rm -rf "$1"', folder);
  const program = join(folder, "vehicle-inventory");
  await Bun.build({
    entrypoints: [...ENTRY_POINTS],
    compile: { outfile: program },
    bytecode: true,
    format: "esm",
    // Names are not minified: the router reads the source text of its handlers at start.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [
      {
        name: "portal",
        // Built when a test first requests it, as when running from the sources.
        setup(build) {
          build.onResolve({ filter: /\/portal\/index\.html$/ }, () => ({ path: PORTAL, namespace: "page" }));
          build.onLoad({ filter: /./, namespace: "page" }, ({ path }) => ({
            loader: "js",
            contents: `export default ${JSON.stringify({ index: path })};`,
          }));
        },
      },
    ],
    define: {
      "process.platform": JSON.stringify(process.platform),
      "process.arch": JSON.stringify(process.arch),
    },
  });
  return [program];
};

const { TEST_BINARY } = process.env;

/** The command that runs the program: the compiled one if it is under test, otherwise its bundled sources. */
export const PROGRAM: readonly string[] = TEST_BINARY === undefined ? await build() : [TEST_BINARY];
