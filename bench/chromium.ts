import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { devDependencies } from "../package.json";

const CACHE = join(import.meta.dir, "../node_modules/.cache");
const FOLDER = join(CACHE, `browser-${devDependencies["@sparticuz/chromium"]}`);

// The package unpacks into the temporary folder. This program also adds libraries that a minimal machine lacks.
const UNPACK = join(import.meta.dir, "unpack-chromium.ts");
const WITH_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };

// The package's own font file names folders of its cloud, and without any font the browser exits.
const FONTS = "fonts";
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">${FONTS}</dir></fontconfig>
`;

/** Unpacks the browser once for all runs. It is atomic, because several processes may do it at the same time. */
const unpacked = async (): Promise<string> => {
  if (existsSync(FOLDER)) return FOLDER;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "chromium-"));
  const child = Bun.spawn([process.execPath, UNPACK], {
    cwd: import.meta.dir,
    env: { ...process.env, ...WITH_LIBRARIES, TMPDIR: folder },
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("the browser could not be unpacked");
  await writeFile(join(folder, FONTS, "fonts.conf"), FONT_CONFIGURATION);
  await rename(folder, FOLDER).catch(() => rm(folder, { recursive: true }));
  return FOLDER;
};

const launchPacked = async (args: string[]): Promise<Browser> => {
  const folder = await unpacked();
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, "al2023/lib"),
    FONTCONFIG_PATH: join(folder, FONTS),
  };
  return chromium.launch({ executablePath: join(folder, "chromium"), args, env });
};

/** A headless browser, either the one at CHROME_PATH or the one from the project's packages; `more` are further flags. */
export const launchBrowser = (more: readonly string[] = []): Promise<Browser> => {
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", ...more];
  const { CHROME_PATH } = process.env;
  return CHROME_PATH === undefined ? launchPacked(args) : chromium.launch({ executablePath: CHROME_PATH, args });
};
