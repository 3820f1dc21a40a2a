import { constants, crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { SHEET_STYLES } from "../../../core/export/sheet-file.ts";
import { COMPRESSION_LEVEL, compressed } from "./gzipped.ts";
import type { Pieces } from "./long-body.ts";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const relation = (id: number, kind: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`;
const relations = (...list: readonly string[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join("")}</Relationships>`;

/** The parts of a workbook beside its sheet, by their names. `title` is the name of the sheet. */
const partsBeside = (title: string): readonly (readonly [name: string, text: string])[] => [
  [
    "[Content_Types].xml",
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${MAIN}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${MAIN}.styles+xml"/></Types>`,
  ],
  ["_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml"))],
  [
    "xl/workbook.xml",
    `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${DOCUMENT}"><sheets><sheet name="${title}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    relations(relation(1, "worksheet", "worksheets/sheet1.xml"), relation(2, "styles", "styles.xml")),
  ],
  ["xl/styles.xml", SHEET_STYLES],
];
const SHEET = "xl/worksheets/sheet1.xml";

const VERSION = 20;
/** The sizes of a part are unknown until it was written; they stand behind it. */
const SIZES_BEHIND = 8;
const DEFLATED = 8;
/** The first of January 1980: the time of a part says nothing. */
const NO_DATE = 33;
const MAX_BYTES = 0xffffffff;

/** A part of an archive that was written. */
interface WrittenPart {
  readonly name: string;
  readonly offset: number;
  readonly checksum: number;
  readonly packed: number;
  readonly bytes: number;
}

const record = (bytes: number, fields: readonly (readonly [at: number, size: 2 | 4, value: number])[]): Buffer => {
  const made = Buffer.alloc(bytes);
  for (const [at, size, value] of fields) made.writeUIntLE(value, at, size);
  return made;
};

const headOf = (name: string): Buffer =>
  Buffer.concat([
    record(30, [
      [0, 4, 0x04034b50],
      [4, 2, VERSION],
      [6, 2, SIZES_BEHIND],
      [8, 2, DEFLATED],
      [12, 2, NO_DATE],
      [26, 2, name.length],
    ]),
    Buffer.from(name),
  ]);

const sizesOf = ({ checksum, packed, bytes }: WrittenPart): Buffer =>
  record(16, [
    [0, 4, 0x08074b50],
    [4, 4, checksum],
    [8, 4, packed],
    [12, 4, bytes],
  ]);

const listed = ({ name, offset, checksum, packed, bytes }: WrittenPart): Buffer =>
  Buffer.concat([
    record(46, [
      [0, 4, 0x02014b50],
      [4, 2, VERSION],
      [6, 2, VERSION],
      [8, 2, SIZES_BEHIND],
      [10, 2, DEFLATED],
      [14, 2, NO_DATE],
      [16, 4, checksum],
      [20, 4, packed],
      [24, 4, bytes],
      [28, 2, name.length],
      [42, 4, offset],
    ]),
    Buffer.from(name),
  ]);

const contentsOf = (parts: readonly WrittenPart[], start: number): Buffer => {
  const list = Buffer.concat(parts.map(listed));
  const end = record(22, [
    [0, 4, 0x06054b50],
    [8, 2, parts.length],
    [10, 2, parts.length],
    [12, 4, list.length],
    [16, 4, start],
  ]);
  return Buffer.concat([list, end]);
};

/** The parts beside the sheet as they are written, one after the other. */
const beginningOf = (title: string): { readonly bytes: Buffer; readonly parts: readonly WrittenPart[] } => {
  const pieces: Buffer[] = [];
  const parts: WrittenPart[] = [];
  let offset = 0;
  for (const [name, text] of partsBeside(title)) {
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const part = { name, offset, checksum: crc32(plain), packed: packed.length, bytes: plain.length };
    const written = Buffer.concat([headOf(name), packed, sizesOf(part)]);
    parts.push(part);
    pieces.push(written);
    offset += written.length;
  }
  return { bytes: Buffer.concat(pieces), parts };
};

/**
 * Packs the XML of a sheet into a workbook while it is made; `title` is the name of the sheet. It is compressed on
 * another thread, and each piece is handed on at once.
 */
export const packedSheet = (title: string) =>
  async function* (pieces: AsyncIterable<Uint8Array>): Pieces {
    const beginning = beginningOf(title);
    const offset = beginning.bytes.length;
    const head = headOf(SHEET);
    let [checksum, bytes, packed] = [0, 0, 0];
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        checksum = crc32(piece, checksum);
        bytes += piece.length;
        yield piece;
      }
    };
    const deflate = createDeflateRaw({ level: COMPRESSION_LEVEL, flush: constants.Z_SYNC_FLUSH });
    let before: Uint8Array = Buffer.concat([beginning.bytes, head]);
    for await (const piece of compressed(counted(), deflate)) {
      packed += piece.length;
      yield Buffer.concat([before, piece]);
      before = Buffer.alloc(0);
    }
    if (Math.max(bytes, packed) > MAX_BYTES) throw new Error("a sheet is larger than a workbook can have");
    const sheet = { name: SHEET, offset, checksum, packed, bytes };
    const sizes = sizesOf(sheet);
    yield Buffer.concat([sizes, contentsOf([...beginning.parts, sheet], offset + head.length + packed + sizes.length)]);
  };
