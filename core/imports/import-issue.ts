/**
 * Something that is wrong or unusual in a file or a row. `path` is the heading in the file; it is empty if the issue is
 * about the whole row.
 */
export interface ImportIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The warnings of one kind that rows have about a column, with the first of them as an example. */
export interface RowWarnings extends ImportIssue {
  /** The number of rows. */
  readonly count: number;
  /** The line of the first of them. */
  readonly line: number;
}
