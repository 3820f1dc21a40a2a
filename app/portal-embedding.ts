import { rm } from "node:fs/promises";
import { basename } from "node:path";
import type { BunPlugin } from "bun";
import { buildPortal } from "./portal-build.ts";

const EMBEDDED = "embedded-files";

/**
 * Replaces the portal's source page by the built one when the program is compiled. The bundler itself would handle the
 * page such that scripts load their parts from the root, and that parts are lost unless the program is split.
 */
export const embedPortal = (index: string, outdir: string): BunPlugin => ({
  name: "portal",
  async setup(build) {
    await rm(outdir, { recursive: true, force: true });
    const files = await buildPortal(index, outdir);
    const imports = files.map(({ path }, at) => `import file${at} from ${JSON.stringify(path)} with { type: "file" };`);
    const entries = files.map(({ path }, at) => `{ input: ${JSON.stringify(basename(path))}, path: file${at} }`);
    build.onResolve({ filter: /\/adapters\/portal\/index\.html$/ }, () => ({ path: EMBEDDED, namespace: EMBEDDED }));
    build.onLoad({ filter: /./, namespace: EMBEDDED }, () => ({
      loader: "js",
      contents: `${imports.join("\n")}\nexport default { files: [${entries.join(", ")}] };`,
    }));
  },
});
