import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Colours with enough contrast in both schemes, and system fonts: no font is loaded. */
export const THEME = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, Menlo, Consolas, monospace",
  cursorType: "pointer",
  respectReducedMotion: true,
});

/** Small print and errors, with enough contrast on the page's own colour. */
export const READABLE: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-placeholder": colors.gray[7],
    "--mantine-color-error": colors.red[9],
  },
  dark: {
    "--mantine-color-dimmed": colors.dark[1],
    "--mantine-color-placeholder": colors.dark[1],
    "--mantine-color-error": colors.red[4],
  },
});
