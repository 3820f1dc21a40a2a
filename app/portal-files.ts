import { basename } from "node:path";
import type { StaticFile } from "../adapters/http/protocol/static-files.ts";
import type { PortalFiles } from "../adapters/http/server/portal-pages.ts";
import page from "../adapters/portal/index.html";
import { buildPortal } from "./portal-build.ts";

type Files = ReadonlyMap<string, Blob>;

/** The files that are embedded in the compiled program. `input` is the name by which they refer to each other. */
const embedded = (files: NonNullable<typeof page.files>): Files =>
  new Map(files.map(({ input, path }) => [input ?? basename(path), Bun.file(path)]));

const built = async (): Promise<Files> =>
  new Map((await buildPortal(page.index)).map((file) => [basename(file.path), file]));

/** All services of this process share the files. */
let files: Promise<Files> | null = null;

/** The portal's files. They are built or read at the first request for the portal. */
export const portalFiles: PortalFiles = async (name): Promise<StaticFile | null> => {
  files ??= page.files === undefined ? built() : Promise.resolve(embedded(page.files));
  const file = (await files).get(name);
  return file === undefined ? null : { bytes: new Uint8Array(await file.arrayBuffer()), type: file.type };
};
