/**
 * Something that is wrong or unusual in a file or a row. `path` is the heading in the file; it is empty if the issue is
 * about the whole row.
 */
export interface ImportIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}
