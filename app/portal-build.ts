/** Where the portal's scripts and styles are served; their addresses are written into them as they are built. */
const ASSETS = "/portal/assets/";

/** The portal's page with its scripts and styles, made of the sources behind `index`; written to `outdir` if given. */
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
