import { basename, join } from "node:path";
import { buildPortal } from "../../app/portal-build.ts";
import { FOLDER } from "./draw.ts";

const PROJECT = join(import.meta.dir, "../..");
/** How pictures are drawn, the invented records, the browser and the versions of all packages. */
const OTHERS = [
  ...["catalogue", "draw", "stock", "attention-stock"].map((name) => `tests/pictures/${name}.ts`),
  ...["tests/support/sample-records.ts", "bench/chromium.ts", "bun.lock"],
];
const RECORD = join(FOLDER, "drawn.json");

/** A part of what the pictures depend on. */
interface Part {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Everything on which the pictures depend: the portal as it is built, which is the same as long as nothing changes that
 * a browser gets, and how it is drawn. Other sources change it through answers, which have tests of their own.
 */
const readParts = async (): Promise<readonly Part[]> => {
  const built = await buildPortal(join(PROJECT, "adapters/portal/index.html"));
  return Promise.all([
    ...built.map(async (file) => ({ name: basename(file.path), bytes: new Uint8Array(await file.arrayBuffer()) })),
    ...OTHERS.map(async (name) => ({ name, bytes: await Bun.file(join(PROJECT, name)).bytes() })),
  ]);
};

let read: ReturnType<typeof readParts> | undefined;
/** The same, read once, for the portal is built for it. */
export const partsDrawnFrom = (): ReturnType<typeof readParts> => {
  read ??= readParts();
  return read;
};

const hashOfParts = async (): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256");
  const parts = await partsDrawnFrom();
  for (const { name, bytes } of parts.toSorted((one, other) => one.name.localeCompare(other.name, "en")))
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest("hex");
};

/** True if the pictures show the present portal. */
export const isDrawnFromPresent = async (): Promise<boolean> => {
  const record = Bun.file(RECORD);
  return (await record.exists()) && (await record.json()).drawn_from === (await hashOfParts());
};

/** Records that the pictures show the present portal. */
export const recordDrawn = async (): Promise<void> => {
  await Bun.write(RECORD, `${JSON.stringify({ drawn_from: await hashOfParts() }, null, 2)}\n`);
};
