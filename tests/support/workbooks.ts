import { crc32, deflateRawSync } from "node:zlib";

/** A file in an archive, with what its table of contents says if that is not the truth. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isStored?: boolean;
  readonly says?: { readonly bytes?: number; readonly checksum?: number; readonly flags?: number };
}

const header = (bytes: number, fields: readonly (readonly [at: number, size: 2 | 4, value: number])[]): Buffer => {
  const made = Buffer.alloc(bytes);
  for (const [at, size, value] of fields) made.writeUIntLE(value, at, size);
  return made;
};

/** A ZIP archive. */
export const zipOf = (files: readonly ArchiveFile[]): Uint8Array<ArrayBuffer> => {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content, isStored = false, says = {} } of files) {
    const plain = Buffer.from(content);
    const packed = isStored ? plain : deflateRawSync(plain);
    const path = Buffer.from(name);
    const common = [
      [0, 2, 20],
      [2, 2, says.flags ?? 0],
      [4, 2, isStored ? 0 : 8],
      [10, 4, says.checksum ?? crc32(plain)],
      [14, 4, packed.length],
      [18, 4, says.bytes ?? plain.length],
      [22, 2, path.length],
    ] as const;
    const shifted = (by: number) => common.map(([place, size, value]) => [place + by, size, value] as const);
    parts.push(header(30, [[0, 4, 0x04034b50], ...shifted(4)]), path, packed);
    list.push(header(46, [[0, 4, 0x02014b50], ...shifted(6), [42, 4, at]]), path);
    at += 30 + path.length + packed.length;
  }
  const contents = Buffer.concat(list);
  const end = header(22, [
    [0, 4, 0x06054b50],
    [8, 2, files.length],
    [10, 2, files.length],
    [12, 4, contents.length],
    [16, 4, at],
  ]);
  return new Uint8Array(Buffer.concat([...parts, contents, end]));
};

/** A value of a cell; XML for a cell of another kind. */
export type TestCell = string | number | boolean | null | { readonly xml: string };

/** A sheet of an invented workbook. */
interface TestSheet {
  readonly name?: string;
  readonly state?: string;
  /** The cells by rows; `null` for a row that is not there. */
  readonly rows?: readonly (readonly TestCell[] | null)[];
  /** The XML of the rows, instead. */
  readonly xml?: string;
  readonly merges?: readonly string[];
  readonly hiddenRows?: readonly number[];
}

/** What else an invented workbook has. */
export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** The codes of the formats of numbers, of which the first is style 1. */
  readonly formats?: readonly string[];
  readonly texts?: readonly string[];
  readonly textsXml?: string;
  readonly is1904?: boolean;
  readonly sheetTarget?: string;
  readonly targetMode?: string;
  readonly isStored?: boolean;
  readonly more?: readonly ArchiveFile[];
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const columnName = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26);

const cellXml = (cell: TestCell, place: string): string => {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.xml.replace("<c", `<c r="${place}"`);
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
};

const rowsXml = ({ rows = [], hiddenRows = [] }: TestSheet): string =>
  rows
    .map((cells, index) => {
      const line = index + 1;
      const hidden = hiddenRows.includes(line) ? ' hidden="1"' : "";
      return cells === null
        ? ""
        : `<row r="${line}"${hidden}>${cells.map((cell, column) => cellXml(cell, `${columnName(column)}${line}`)).join("")}</row>`;
    })
    .join("");

const sheetXml = (sheet: TestSheet): string => {
  const merges = (sheet.merges ?? []).map((ref) => `<mergeCell ref="${ref}"/>`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${sheet.xml ?? rowsXml(sheet)}</sheetData>${merges === "" ? "" : `<mergeCells>${merges}</mergeCells>`}</worksheet>`;
};

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;

/** The files of an invented workbook. */
export const workbookFiles = (workbook: TestWorkbook): readonly ArchiveFile[] => {
  const { sheets, formats = [], texts = [], is1904 = false, sheetTarget, targetMode, isStored = false } = workbook;
  const mode = targetMode === undefined ? "" : `" TargetMode="${targetMode}`;
  const list = sheets.map(
    ({ name = "", state }, index) =>
      `<sheet name="${escaped(name || `Sheet${index + 1}`)}" sheetId="${index + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${sheets
      .map((_, index) =>
        relation(`rId${index + 1}`, "worksheet", `${sheetTarget ?? `worksheets/sheet${index + 1}.xml`}${mode}`),
      )
      .join(
        "",
      )}${relation("rId901", "styles", "styles.xml")}${relation("rId902", "sharedStrings", "sharedStrings.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escaped(code)}"/>`)
      .join(
        "",
      )}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml":
      workbook.textsXml ?? `<sst>${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`,
  };
  for (const [index, sheet] of sheets.entries()) files[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheet);
  return [...Object.entries(files).map(([name, content]) => ({ name, content, isStored })), ...(workbook.more ?? [])];
};

/** An invented workbook. */
export const workbookOf = (workbook: TestWorkbook): Uint8Array<ArrayBuffer> => zipOf(workbookFiles(workbook));

/** The media type of workbooks. */
export const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
