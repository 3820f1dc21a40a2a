/** A file as a program has it. Files of disks are Blobs by `openAsBlob` of Node, `Bun.file`, or an input of a page. */
export type Uploaded = Blob | ArrayBuffer | ArrayBufferView | string;

/** What to call a file that does not say it itself. */
export interface FileFacts {
  readonly name?: string;
  readonly type?: string;
}

/** The file with a type, which decides how the service reads it, unless its name does. */
export const namedBlob = (file: Uploaded, { type = "" }: FileFacts): Blob =>
  file instanceof Blob && (file.type !== "" || type === "") ? file : new Blob([file as ArrayBuffer], { type });

/** The name of a file, if it has one. */
export const nameOf = (file: Uploaded, { name }: FileFacts): string =>
  name ?? (file instanceof Blob && "name" in file && typeof file.name === "string" ? file.name : "file");
