import { rmSync } from "node:fs";
import { join } from "node:path";

/*
 * Makes `dist/`, which the package consists of: the program as one file that any runtime reads, and the types, a file
 * for each source.
 */

const SOURCES = join(import.meta.dir, "src");

/** Builds the program into a folder. */
export const buildProgram = async (folder: string): Promise<void> => {
  await Bun.build({ entrypoints: [join(SOURCES, "index.ts")], outdir: folder, target: "browser", format: "esm" });
};

/** Builds the types into a folder. */
export const buildTypes = async (folder: string): Promise<void> => {
  const { default: ts } = await import("typescript");
  const compilerOptions = { isolatedDeclarations: true, target: ts.ScriptTarget.ES2022 };
  for (const fileName of new Bun.Glob("**/*.ts").scanSync(SOURCES)) {
    const text = await Bun.file(join(SOURCES, fileName)).text();
    const { outputText, diagnostics } = ts.transpileDeclaration(text, { fileName, compilerOptions });
    const [fault] = diagnostics ?? [];
    if (fault !== undefined) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`);
    const declarations = outputText
      // The compiler, which sees one file at a time, writes generators of this name a second time.
      .replaceAll(/^ +\[Symbol\.asyncIterator\]: .*\n/gm, "")
      .replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
    await Bun.write(join(folder, fileName.replace(/\.ts$/, ".d.ts")), declarations);
  }
};

if (import.meta.main) {
  const dist = join(import.meta.dir, "dist");
  rmSync(dist, { recursive: true, force: true });
  await buildProgram(dist);
  await buildTypes(dist);
}
