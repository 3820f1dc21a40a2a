import chromium from "@sparticuz/chromium";

/** A separate program, because the package takes its settings from the environment. */
await chromium.executablePath();
