import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  rem,
} from "@mantine/core";

/** The accent: `#0f766e` on light, `#2dd4bf` on dark. */
const TEAL: MantineColorsTuple = [
  "#f0fdfa",
  "#ccfbf1",
  "#99f6e4",
  "#5eead4",
  "#2dd4bf",
  "#14b8a6",
  "#0d9488",
  "#0f766e",
  "#115e59",
  "#134e4a",
];

/** Errors, and the last button of a confirmation. */
const RED: MantineColorsTuple = [
  "#fef2f2",
  "#fee2e2",
  "#fecaca",
  "#fca5a5",
  "#f87171",
  "#ef4444",
  "#dc2626",
  "#b91c1c",
  "#991b1b",
  "#7f1d1d",
];

/** Surfaces and text of the light scheme. */
const GRAY: MantineColorsTuple = [
  "#f6f7f9",
  "#eef0f3",
  "#e3e6ea",
  "#d3d8de",
  "#c2c8d0",
  "#8f98a5",
  "#6b7482",
  "#57606d",
  "#333a44",
  "#15181d",
];

/** Text and surfaces of the dark scheme: text first, background last. */
const DARK: MantineColorsTuple = [
  "#e8ebef",
  "#c4cad3",
  "#a0a9b5",
  "#6f7885",
  "#2f3640",
  "#272d36",
  "#1d222a",
  "#171b21",
  "#101318",
  "#0b0d11",
];

const heading = (size: number, line: number) => ({ fontSize: rem(size), lineHeight: rem(line) });
const TEXT = heading(14, 20);

/** The portal's sizes, spaces, corners and colours: the only place that names them. */
export const THEME = createTheme({
  colors: { teal: TEAL, red: RED, gray: GRAY, dark: DARK },
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 4 },
  // In the dark scheme, dark text on the light accent and red.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === "filled" ? { ...colors, color: "var(--on-accent)" } : colors;
  },
  black: "#15181d",
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(14), xl: rem(22) },
  lineHeights: { xs: "1.35", sm: "1.4", md: "1.43", lg: "1.43", xl: "1.28" },
  headings: {
    fontWeight: "600",
    sizes: { h1: heading(22, 28), h2: TEXT, h3: TEXT, h4: TEXT, h5: TEXT, h6: TEXT },
  },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(20), xl: rem(24) },
  radius: { xs: rem(4), sm: rem(8), md: rem(10), lg: rem(10), xl: rem(999) },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Within the main part, where screen readers find them by landmarks.
    Menu: { defaultProps: { portalProps: { target: "#content" }, shadow: "md" } },
    Popover: { defaultProps: { portalProps: { target: "#content" }, shadow: "md" } },
    // Below the field, so that fields in a row line up.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    Checkbox: { defaultProps: { radius: "xs", iconColor: "var(--on-accent)" } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 } } },
  },
});

/** The tokens of each scheme. Small text and errors have a contrast of at least 4.5 on every surface. */
export const READABLE: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--ground": colors.gray[0],
    "--line": colors.gray[2],
    "--accent": colors.teal[7],
    "--accent-soft": "#e3f2f0",
    "--on-accent": "#fff",
    "--hover": "#f2f4f6",
    "--good": "#14683a",
    "--good-soft": "#e4f4ea",
    "--wait": "#8a4608",
    "--wait-soft": "#fcf0db",
    "--off": colors.gray[7],
    "--off-soft": colors.gray[1],
    "--age-1": "#7fc8be",
    "--age-2": "#3f9f94",
    "--age-3": "#e0a23c",
    "--age-4": "#c2543d",
    "--float": "0 8px 28px rgb(21 24 29 / 16%)",
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-placeholder": colors.gray[7],
    "--mantine-color-default-border": colors.gray[2],
    "--mantine-color-default-hover": colors.gray[0],
    "--mantine-color-error": colors.red[7],
    "--mantine-color-anchor": colors.teal[7],
  },
  dark: {
    "--ground": colors.dark[8],
    "--line": colors.dark[4],
    "--accent": colors.teal[4],
    "--accent-soft": "#133532",
    "--on-accent": colors.dark[9],
    "--hover": colors.dark[6],
    "--good": "#6ee7a0",
    "--good-soft": "#12301f",
    "--wait": "#f5c26b",
    "--wait-soft": "#35270f",
    "--off": colors.dark[1],
    "--off-soft": colors.dark[5],
    "--age-1": "#8fd6cc",
    "--age-2": "#45a99d",
    "--age-3": "#e0a23c",
    "--age-4": "#d0634b",
    "--float": "0 8px 28px rgb(0 0 0 / 60%)",
    "--mantine-color-dimmed": colors.dark[2],
    "--mantine-color-placeholder": colors.dark[2],
    "--mantine-color-default-border": colors.dark[4],
    "--mantine-color-error": colors.red[4],
    "--mantine-color-anchor": colors.teal[4],
  },
});
