import chromium from "@sparticuz/chromium";

/** This is a separate program because the package takes its settings from the environment. */
await chromium.executablePath();
