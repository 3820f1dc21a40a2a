/** The path of the portal's scripts and styles. The build writes it into them. */
const ASSETS = "/portal/assets/";

/** Builds the portal's page, scripts and styles from `index`. If `outdir` is given, they are written there. */
export const buildPortal = async (index: string, outdir?: string): Promise<readonly Bun.BuildArtifact[]> => {
  const { outputs } = await Bun.build({
    entrypoints: [index],
    target: "browser",
    splitting: true,
    minify: true,
    publicPath: ASSETS,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    ...(outdir !== undefined && { outdir }),
  });
  return outputs;
};
