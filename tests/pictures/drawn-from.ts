import { dirname, join, relative } from "node:path";
import { Glob } from "bun";
import { FOLDER } from "./draw.ts";

const PROJECT = join(import.meta.dir, "../..");
/** The portal, and what its sources import. */
const PORTAL = "adapters/portal";
/** How pictures are drawn, the invented records, how the portal is built, and the versions of all packages. */
const OTHERS = [
  ...["catalogue", "draw", "stock"].map((name) => `tests/pictures/${name}.ts`),
  ...["tests/support/sample-records.ts", "app/portal-build.ts", "bench/chromium.ts", "bun.lock"],
];
/** Only the rules that the portal shows: other sources change what it shows through answers, which have tests of their own. */
const FOLLOWED = /^(?:adapters\/portal|core)\//;
const RECORD = join(FOLDER, "drawn.json");

const SOURCE = /\.tsx?$/;
const TRANSPILERS = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};

const textOf = (path: string): Promise<string> => Bun.file(join(PROJECT, path)).text();

/** The files of the project that a source imports. */
const importsOf = async (path: string): Promise<string[]> =>
  TRANSPILERS[path.endsWith("x") ? "tsx" : "ts"]
    .scanImports(await textOf(path))
    .filter(({ path: to }) => to.startsWith("."))
    .map(({ path: to }) => relative(PROJECT, join(PROJECT, dirname(path), to)))
    .filter((to) => FOLLOWED.test(to));

/** Every file on which the pictures depend, in order. */
export const filesDrawnFrom = async (): Promise<string[]> => {
  const found = new Set<string>(OTHERS);
  const follow = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    found.add(path);
    if (SOURCE.test(path)) for (const imported of await importsOf(path)) await follow(imported);
  };
  for (const name of new Glob("**/*").scanSync(join(PROJECT, PORTAL))) await follow(join(PORTAL, name));
  return [...found].sort();
};

/** The hash of everything on which the pictures depend. */
const drawnFrom = async (): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of await filesDrawnFrom()) hash.update(`${path}\0${await textOf(path)}\0`);
  return hash.digest("hex");
};

/** True if the pictures were drawn from the present sources. */
export const isDrawnFromPresent = async (): Promise<boolean> => {
  const record = Bun.file(RECORD);
  return (await record.exists()) && (await record.json()).sources === (await drawnFrom());
};

/** Records that the pictures show the present sources. */
export const recordDrawn = async (): Promise<void> => {
  await Bun.write(RECORD, `${JSON.stringify({ sources: await drawnFrom() }, null, 2)}\n`);
};
