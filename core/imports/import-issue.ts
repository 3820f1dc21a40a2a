/** What is wrong or unusual with a file or a row. `path` is the heading in the file, or empty for a whole row. */
export interface ImportIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}
