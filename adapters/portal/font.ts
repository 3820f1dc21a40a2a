import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };

/**
 * Registers Inter with its Latin letters. The browser loads it with the first text, and uses other fonts until then.
 * A script does this because the bundler would embed the file in a style sheet, where the content security policy
 * refuses it.
 */
export const addFont = (): void => {
  const face = new FontFace("Inter Variable", `url(${inter})`, { weight: "100 900", display: "swap" });
  document.fonts.add(face);
};
