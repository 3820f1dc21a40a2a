import { createTheme } from "@mantine/core";

/** Colours with enough contrast in both schemes, and the fonts of the machine: none are loaded. */
export const THEME = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, Menlo, Consolas, monospace",
  cursorType: "pointer",
  respectReducedMotion: true,
});
