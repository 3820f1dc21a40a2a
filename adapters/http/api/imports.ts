import Type from "typebox";
import { separatedLine } from "../../../core/csv.ts";
import { SAFE_FORM_QUERY, safeFormOf } from "../../../core/export/export-file.ts";
import { Failure } from "../../../core/failure.ts";
import { ERROR_COLUMNS } from "../../../core/imports/errors-file.ts";
import { encoderOf, hasByteOrderMark } from "../../../core/imports/file/charset-encoder.ts";
import type { Charset } from "../../../core/imports/file/file.ts";
import {
  Confirmation,
  type Import,
  ImportListQuery,
  ImportQuery,
  ImportRowsQuery,
} from "../../../core/imports/import.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import type { FailedRow } from "../../../core/imports/import-repository.ts";
import type { FailedRows, Imports } from "../../../core/imports/imports.ts";
import type { ReceivedImport } from "../../../core/imports/reception.ts";
import type { Slice } from "../../../core/long-items.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { flag, type Input } from "../../../core/schema.ts";
import { cursorList, cursorPage } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { LongBody, type Pieces } from "../protocol/long-body.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { FILE_TYPES } from "../protocol/upload.ts";
import { cursorMeta, DoneAnswer, recordId } from "./answers.ts";
import { ImportAnswer, ImportRowAnswer } from "./import-answers.ts";

const RUNNING_HEADERS = { "retry-after": "2" };

const LIST = "imports";
const rowsList = (importId: number): string => `rows of import ${importId}`;

const params = Type.Object({ id: recordId("import") });
// Their examples have different numbers, because the documented requests are made one after another.
const checkedParams = Type.Object({ id: recordId("import", 2) });
const waitingParams = Type.Object({ id: recordId("import", 3) });

const answerImport = (found: Import) =>
  ok(found, found.state === "running" || found.state === "queued" ? { headers: RUNNING_HEADERS } : {});

const ErrorsQuery = Type.Object({
  spreadsheet: SAFE_FORM_QUERY.spreadsheet,
  as_received: Type.Optional(
    flag({
      default: false,
      description:
        "If true, the file has the delimiter and the charset of the file that came, for the system that made it. A character that the charset does not have becomes a question mark. Otherwise it is comma-separated UTF-8, as it also is for files without delimiters.",
    }),
  ),
});

const issueText = ({ path, message }: ImportIssue): string => (path === "" ? message : `${path} ${message}`);

/** The bytes of a text in another charset, with the mark by which programs recognize it. */
const inCharset = (charset: Charset) =>
  async function* (pieces: Pieces): Pieces {
    const encode = encoderOf(charset);
    const decoder = new TextDecoder();
    if (hasByteOrderMark(charset)) yield encode("\ufeff");
    for await (const piece of pieces) yield encode(decoder.decode(piece, { stream: true }));
  };

const errorsAnswer = ({ file, headings, total, slices }: FailedRows, query: Input<typeof ErrorsQuery>) => {
  const isAsReceived = query.as_received === true && file.delimiter !== null;
  const written = separatedLine((isAsReceived ? file.delimiter : null) ?? ",", safeFormOf(query).forSpreadsheet);
  const charset = isAsReceived ? file.charset : "utf-8";
  const added: readonly string[] = ERROR_COLUMNS;
  // A file of errors that is sent again already has these columns.
  const ownColumns = headings.flatMap((heading, place) => (added.includes(heading) ? [] : [place]));
  const lineOf = ({ line, cells, errors }: FailedRow): string =>
    written([...ownColumns.map((place) => cells[place] ?? null), line, errors.map(issueText).join("; ")]);
  const lines = function* (): Generator<Slice<string>> {
    for (const read of slices) yield () => andThen(read(), (rows) => rows.map(lineOf));
  };
  return ok(
    new LongBody(
      lines(),
      {
        start: written([...ownColumns.map((place) => headings[place] ?? ""), ...added]),
        end: "",
        separator: "",
      },
      isAsReceived ? inCharset(charset) : null,
    ),
    {
      headers: {
        "content-type": `text/csv; charset=${charset}`,
        "content-disposition": 'attachment; filename="errors.csv"',
        "x-total-count": String(total),
      },
    },
  );
};

/** The routes of imports. */
export const importRoutes = (imports: Imports, cursors: ListCursors): Route[] => [
  route({
    operation: "import.create",
    name: "createImport",
    method: "POST",
    path: "/api/imports",
    summary: "Import a file of vehicles",
    description:
      "The body is the file. It is imported in the background: read the import that the answer names until its state is neither `queued` nor `running`.",
    query: ImportQuery,
    file: {
      types: FILE_TYPES,
      example: "VIN,Stock Number,Year,Make,Model,Price\n1HGCM82633A004352,A1043,2003,Honda,Accord,4500\n",
      receive: async ({ principal, query, upload }) => imports.receiveArriving(principal, query, upload),
    },
    answer: { status: 202, schema: ImportAnswer, description: "The import, which waits for its turn" },
    errors: ["invalid_input", "not_your_dealer", "too_many_jobs", "photos_off", "storage_quota", "storage_full"],
    answers: "accepted",
    of: ({ principal, body }) => imports.start(principal, body as ReceivedImport),
  }),
  route({
    operation: "import.list",
    name: "listImports",
    method: "GET",
    path: "/api/imports",
    summary: "List imports",
    description: "Newest first. A key that is bound to a dealer sees only that dealer's imports.",
    query: ImportListQuery,
    answer: {
      status: 200,
      schema: Type.Object({ data: Type.Array(ImportAnswer), meta: cursorMeta }, { title: "ImportPage" }),
      description: "A page of imports",
    },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: LIST,
      page: ({ principal, query }, after) => imports.list(principal, query, after),
    }),
  }),
  route({
    operation: "import.read",
    name: "getImport",
    method: "GET",
    path: "/api/imports/:id",
    summary: "Read an import",
    description: "Includes the progress. While the import waits or runs, `Retry-After` says when to read it again.",
    params,
    answer: { status: 200, schema: ImportAnswer, description: "The import" },
    traits: ["progress"],
    errors: ["not_found"],
    async handle({ principal, params }) {
      const found = await imports.get(principal, params.id);
      return found instanceof Failure ? found : answerImport(found);
    },
  }),
  route({
    operation: "import.rows",
    name: "listImportRows",
    method: "GET",
    path: "/api/imports/:id/rows",
    summary: "List the results of the rows",
    description: "In the order of the file. Kept for 30 days.",
    params,
    query: ImportRowsQuery,
    answer: {
      status: 200,
      schema: Type.Object({ data: Type.Array(ImportRowAnswer), meta: cursorMeta }, { title: "ImportRowPage" }),
      description: "A page of rows",
    },
    traits: ["list"],
    errors: ["not_found"],
    async handle({ principal, params, query, search, url }) {
      const read = { principal, list: rowsList(params.id), search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const page = await imports.rows(principal, params.id, { ...query, after: from?.id ?? null });
      if (page instanceof Failure) return page;
      const { items, total, next } = page;
      const cursor = next === null ? null : cursors.after(read, { id: next, value: next });
      return cursorPage({ url, search, query }, { items, total, cursor });
    },
  }),
  route({
    operation: "import.errors",
    name: "exportImportErrors",
    method: "GET",
    path: "/api/imports/:id/errors.csv",
    summary: "Export the failed rows",
    description:
      "The file has the original columns, `import_line` and `import_error`. It can be corrected and imported again as it is: an import of a file with these two columns takes the apostrophes before formulas away.",
    params,
    query: ErrorsQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The failed rows, one on each line",
      file: {
        types: ["text/csv"],
        isCounted: true,
        example: "VIN,Price,import_line,import_error\n1HGCM82633A004352,much,2,Price is not a number\n",
      },
    },
    errors: ["not_found"],
    async handle({ principal, params, query }) {
      const failed = await imports.failedRows(principal, params.id);
      return failed instanceof Failure ? failed : errorsAnswer(failed, query);
    },
  }),
  route({
    operation: "import.run",
    name: "runImport",
    method: "POST",
    path: "/api/imports/:id/run",
    summary: "Run an import that was checked or stopped",
    description:
      "After a dry run, imports the same bytes that were checked. An import that was stopped continues after its last batch. The changes are made in the name of the caller of this operation.",
    params: checkedParams,
    answer: { status: 202, schema: ImportAnswer, description: "The import, which waits for its turn" },
    traits: ["progress"],
    errors: ["not_found", "import_state", "too_many_jobs"],
    answers: "accepted",
    of: ({ principal, params }) => imports.run(principal, params.id),
  }),
  route({
    operation: "import.confirm",
    name: "confirmImport",
    method: "POST",
    path: "/api/imports/:id/confirm",
    summary: "Confirm the missing vehicles of a snapshot",
    description:
      "Send the number of missing vehicles that the import reports. They are counted again; if the number differs, the answer is 409 and nothing is changed.",
    params: waitingParams,
    body: { name: "ImportConfirmation", schema: Confirmation, readOnly: [], example: { missing: 4 } },
    answer: { status: 202, schema: ImportAnswer, description: "The import, which waits for its turn" },
    traits: ["progress"],
    errors: ["not_found", "import_state", "confirmation_stale", "too_many_jobs"],
    answers: "accepted",
    of: ({ principal, params, body }) => imports.confirm(principal, params.id, body),
  }),
  route({
    operation: "import.cancel",
    name: "cancelImport",
    method: "POST",
    path: "/api/imports/:id/cancel",
    summary: "Stop an import",
    description:
      "Stops after the present batch of rows. Changes that were made stay. An import that has ended stays unchanged.",
    params,
    answer: { status: 200, schema: ImportAnswer, description: "The import, which may still finish its batch" },
    traits: ["progress"],
    errors: ["not_found"],
    async handle({ principal, params }) {
      const stopped = await imports.cancel(principal, params.id);
      return stopped instanceof Failure ? stopped : answerImport(stopped);
    },
  }),
  route({
    operation: "import.delete",
    name: "deleteImport",
    method: "DELETE",
    path: "/api/imports/:id",
    summary: "Delete an import",
    description: "Deletes an import that has ended, with its file and its rows. Vehicles stay unchanged.",
    params,
    answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
    errors: ["not_found", "import_state"],
    answers: "done",
    of: ({ principal, params }) => imports.remove(principal, params.id),
    says: ({ id }) => `Import ${id} taken away`,
  }),
];
