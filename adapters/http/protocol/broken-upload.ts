/** The error codes of failed uploads. */
type UploadFault = "import_file_unreadable" | "import_file_too_large" | "upload_too_slow";

/** Thrown if an upload failed: it is incomplete, malformed, too large or too slow. */
export class BrokenUpload extends Error {
  override readonly name = "BrokenUpload";
  readonly code: UploadFault;

  constructor(
    message: string,
    { code = "import_file_unreadable", ...options }: ErrorOptions & { readonly code?: UploadFault } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}
