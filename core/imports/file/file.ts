/** Why a file is refused as a whole. */
export interface FileFault {
  readonly code: "import_file_unreadable";
  readonly message: string;
}

/** A fault of a file that cannot be read. */
export const unreadable = (message: string): FileFault => ({ code: "import_file_unreadable", message });
