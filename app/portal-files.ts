import { basename } from "node:path";
import type { PortalFile, PortalFiles } from "../adapters/http/portal/pages.ts";
import page from "../adapters/portal/index.html";
import { buildPortal } from "./portal-build.ts";

type Files = ReadonlyMap<string, Blob>;

/** The compiled program carries the built files; `input` is the name under which they refer to each other. */
const embedded = (files: NonNullable<typeof page.files>): Files =>
  new Map(files.map(({ input, path }) => [input ?? basename(path), Bun.file(path)]));

const built = async (): Promise<Files> =>
  new Map((await buildPortal(page.index)).map((file) => [basename(file.path), file]));

/** The portal's files, built or read when the portal is first asked for and never before. */
export const portalFiles = (): PortalFiles => {
  let files: Promise<Files> | null = null;
  return async (name): Promise<PortalFile | null> => {
    files ??= page.files === undefined ? built() : Promise.resolve(embedded(page.files));
    const file = (await files).get(name);
    return file === undefined ? null : { bytes: new Uint8Array(await file.arrayBuffer()), type: file.type };
  };
};
