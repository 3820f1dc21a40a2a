/** How a file is refused that does not arrive as it should. */
type UploadFault = "import_file_unreadable" | "import_file_too_large" | "upload_too_slow";

/** A file did not arrive whole, or its form or packing is broken, or it is too large or too slow: it says which. */
export class BrokenUpload extends Error {
  override readonly name = "BrokenUpload";
  /** The error's code. */
  readonly code: UploadFault;

  constructor(
    message: string,
    { code = "import_file_unreadable", ...options }: ErrorOptions & { readonly code?: UploadFault } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}
