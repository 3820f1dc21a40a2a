import chromium from "@sparticuz/chromium";

/** A program of its own, as the package learns from its environment where to and with what. */
await chromium.executablePath();
