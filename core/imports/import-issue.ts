/** What is wrong, or odd, with a file or one of its rows. `path` is the file's own heading, or empty for a whole row. */
export interface ImportIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}
