import { dirname, join } from "node:path";

/** The path of the portal's scripts and styles. The build writes it into them. */
const ASSETS = "/portal/assets/";

/** What stands beside the portal's page: the page of a walk, and the script that opens it without a network. */
const BESIDE = ["walk.html", "walk-worker.ts"];

/** Builds the portal's pages, scripts and styles from `index`. If `outdir` is given, they are written there. */
export const buildPortal = async (index: string, outdir?: string): Promise<readonly Bun.BuildArtifact[]> => {
  const { outputs } = await Bun.build({
    entrypoints: [index, ...BESIDE.map((name) => join(dirname(index), name))],
    target: "browser",
    splitting: true,
    minify: true,
    publicPath: ASSETS,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    ...(outdir !== undefined && { outdir }),
  });
  return outputs;
};
