import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };

/**
 * Makes Inter, its Latin letters, known to the page; it is loaded when the first text asks for it, and other fonts
 * stand in until then. From here because the bundler would put a file that a style sheet names into the sheet itself,
 * where the content security policy refuses it.
 */
export const addFont = (): void => {
  const face = new FontFace("Inter Variable", `url(${inter})`, { weight: "100 900", display: "swap" });
  document.fonts.add(face);
};
