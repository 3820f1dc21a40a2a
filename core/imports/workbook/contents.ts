import { WORKBOOK_LIMITS } from "./limits.ts";
import { hasPart, type Parts, textOfPart } from "./parts.ts";
import { broken, tooLarge, WorkbookRefused } from "./refused.ts";
import { anyAttributeOf, attributeOf, plainText, type XmlPiece, XmlReader } from "./xml-reader.ts";

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  /** The name of its part. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** What a workbook contains. */
export interface Contents {
  readonly sheets: readonly Sheet[];
  /** The names of the parts with texts and formats; `null` if it has none. */
  readonly texts: string | null;
  readonly styles: string | null;
  /** True if its days are counted from 1904. */
  readonly is1904: boolean;
}

/** Something that a part of a workbook refers to. */
interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly kind: string;
  /** The name of the part; `null` if it is outside the workbook. */
  readonly part: string | null;
}

const decoded = (text: string | null): string => plainText({ text: text ?? "", isPlain: false });

/** The tags of a part that is a list. */
async function* tagsOf(parts: Parts, name: string, what: string): AsyncGenerator<Pick<XmlPiece, "name" | "text">> {
  const reader = new XmlReader(what);
  for await (const chunk of textOfPart(parts, { name, most: WORKBOOK_LIMITS.list, what })) {
    reader.push(chunk);
    while (reader.advance()) if (reader.kind === "open") yield { name: reader.name, text: reader.text };
  }
}

/** The name of a part that a part in this folder names. */
const resolved = (folder: string, target: string): string => {
  const names = target.startsWith("/") ? [] : folder.split("/");
  for (const name of target.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.filter((name) => name !== "").join("/");
};

const relationsIn = async (parts: Parts, name: string, folder: string): Promise<readonly Relation[]> => {
  const found: Relation[] = [];
  for await (const { name: element, text } of tagsOf(parts, name, "a list of parts")) {
    if (element !== "Relationship") continue;
    const isOutside = attributeOf(text, "TargetMode")?.toLowerCase() === "external";
    found.push({
      id: decoded(attributeOf(text, "Id")),
      kind: decoded(attributeOf(text, "Type")).split("/").at(-1) ?? "",
      part: isOutside ? null : resolved(folder, decoded(attributeOf(text, "Target"))),
    });
  }
  return found;
};

const OTHER_FORMATS = [
  ["content.xml", "an OpenDocument spreadsheet (.ods)"],
  ["xl/workbook.bin", "a binary workbook (.xlsb)"],
  ["word/document.xml", "a text document (.docx)"],
] as const;

const NO_WORKBOOK = "The file is an archive and no workbook (.xlsx).";
const ROOT_LIST = "_rels/.rels";

/** Refuses archives of other kinds. */
const requireWorkbook = (parts: Parts): void => {
  for (const [name, what] of OTHER_FORMATS)
    if (hasPart(parts, name))
      throw new WorkbookRefused({
        code: "unsupported",
        message: `The file is ${what}; open it in a spreadsheet and save it as .xlsx or CSV`,
      });
  if (!hasPart(parts, ROOT_LIST) && !hasPart(parts, "xl/workbook.xml"))
    throw new WorkbookRefused({ code: "unreadable", message: NO_WORKBOOK });
};

/** Finds the sheets of a workbook, and the parts that are needed to read them. */
export const contentsOf = async (parts: Parts): Promise<Contents> => {
  requireWorkbook(parts);
  const roots = hasPart(parts, ROOT_LIST) ? await relationsIn(parts, ROOT_LIST, "") : [];
  const workbook = roots.find(({ kind }) => kind === "officeDocument")?.part ?? "xl/workbook.xml";
  if (!hasPart(parts, workbook)) throw new WorkbookRefused({ code: "unreadable", message: NO_WORKBOOK });
  const slash = workbook.lastIndexOf("/");
  const folder = workbook.slice(0, Math.max(slash, 0));
  const list = resolved(folder, `_rels/${workbook.slice(slash + 1)}.rels`);
  const relations = hasPart(parts, list) ? await relationsIn(parts, list, folder) : [];
  const partOf = (wanted: string): string | null => {
    const part = relations.find(({ kind }) => kind === wanted)?.part ?? null;
    return part !== null && hasPart(parts, part) ? part : null;
  };
  const sheets: Sheet[] = [];
  let is1904 = false;
  for await (const { name: element, text } of tagsOf(parts, workbook, "the list of sheets")) {
    if (element === "workbookPr") is1904 = ["1", "true"].includes(attributeOf(text, "date1904") ?? "");
    if (element !== "sheet") continue;
    if (sheets.length === WORKBOOK_LIMITS.sheets)
      throw tooLarge(`The workbook has more than ${WORKBOOK_LIMITS.sheets} sheets.`);
    const id = decoded(anyAttributeOf(text, "id"));
    const relation = relations.find((one) => one.id === id);
    // Sheets of charts, and sheets outside the workbook, have no rows.
    if (relation?.kind !== "worksheet" || relation.part === null) continue;
    const isHidden = !["visible", ""].includes(attributeOf(text, "state") ?? "");
    sheets.push({ name: decoded(attributeOf(text, "name")), part: relation.part, isHidden });
  }
  if (sheets.length === 0) throw broken("it has no sheet with rows");
  return { sheets, texts: partOf("sharedStrings"), styles: partOf("styles"), is1904 };
};
