import { foldHeading } from "../headings/fold-heading.ts";
import { knownHeading } from "../headings/headings.ts";
import { type ColumnDates, DateSurvey } from "./date-survey.ts";
import { type Cell, FILE_LIMITS, type RowProblem } from "./file.ts";
import {
  type Block,
  countLineEnds,
  plainRecord,
  type RecordSplitter,
  separator,
  type TextSegment,
} from "./record-splitter.ts";
import { attributesOf, dereferenced, type Token, tokenAt } from "./xml-tokens.ts";

/** The maximum nesting of elements. */
const MAX_DEPTH = 32;
/** The maximum number of different elements and attributes; a table of 200 columns has fewer. */
const MAX_KINDS = 2000;
/** A longer text is no date. */
const MAX_DATE = 100;
const TOO_MANY_KINDS = `There are more than ${MAX_KINDS} kinds of elements and attributes`;

/** All elements with the same path from the root. */
interface Element {
  readonly name: string;
  readonly parent: Element | null;
  readonly children: Map<string, Element>;
  readonly attributes: Set<string>;
  /** What its texts say about the order of day and month, by the names of attributes; `""` for its own text. */
  readonly dates: DateSurvey<string>;
  /** The number of elements that were closed, and whether two of them have the same parent. */
  count: number;
  isRepeated: boolean;
  /** The size of the largest one in units, and the line on which it begins. */
  units: number;
  line: number;
}

const elementOf = (name: string, parent: Element | null): Element => ({
  name,
  parent,
  children: new Map(),
  attributes: new Set(),
  dates: new DateSurvey(),
  count: 0,
  isRepeated: false,
  units: 0,
  line: 0,
});

interface OpenElement {
  readonly element: Element;
  readonly seen: Set<Element>;
  readonly units: number;
  readonly line: number;
}

/** What a survey of an XML file finds. */
export interface XmlSurvey {
  /** Reads the whole text without returning records. Reading ends at a fault. */
  readonly splitter: RecordSplitter;
  /** The reason why the file cannot be read as XML, with the line. */
  readonly fault: { readonly line: number; readonly message: string } | null;
  /** True if elements are still open at the end of what was read. */
  readonly isCutOff: boolean;
  /** The rows; `null` if no element can be a row. */
  rows(): SurveyedRows | null;
}

/** The elements that are rows. */
interface SurveyedRows {
  readonly path: readonly string[];
  readonly count: number;
  readonly heading: readonly string[];
  /** What each column says about the order of day and month. */
  readonly dates: readonly (ColumnDates | null)[];
  /** The largest row. */
  readonly units: number;
  readonly line: number;
}

const pathOf = (element: Element): string[] => [
  ...(element.parent === null || element.parent.parent === null ? [] : pathOf(element.parent)),
  element.name,
];

const hasColumns = ({ children, attributes }: Element): boolean => children.size + attributes.size > 0;

/** All elements, those closest to the root first. */
const byDepth = (root: Element): Element[] => {
  const all: Element[] = [...root.children.values()];
  for (let index = 0; index < all.length; index++) all.push(...(all[index]?.children.values() ?? []));
  return all;
};

const knownColumns = ({ children, attributes }: Element): number =>
  [...children.keys(), ...attributes].filter((name) => knownHeading(name) !== undefined).length;

const withMostKnownColumns = (elements: readonly Element[]): Element | null => {
  const most = Math.max(0, ...elements.map(knownColumns));
  return elements.find((element) => most > 0 && knownColumns(element) === most) ?? null;
};

const ancestorsOf = ({ parent }: Element): Element[] => (parent === null ? [] : [...ancestorsOf(parent), parent]);

/**
 * Finds the element that is a row: the repeated element closest to the root. If nothing is repeated, as in a file with
 * a single vehicle, it is the element with the most known headings. If only a part of the vehicle is repeated, it is
 * the enclosing element, which has more known headings.
 */
const rowElement = (root: Element): Element | null => {
  const all = byDepth(root).filter(hasColumns);
  const repeated = all.find(({ isRepeated }) => isRepeated);
  if (repeated === undefined) return withMostKnownColumns(all);
  const around = withMostKnownColumns(ancestorsOf(repeated));
  return around !== null && knownColumns(around) > knownColumns(repeated) ? around : repeated;
};

/** True if an element holds one text, or a list of elements of one name: `<photos><photo/><photo/></photos>`. */
const isOneCell = ({ children }: Element): boolean => children.size <= 1 && [...children.values()].every(isOneCell);

/** Attributes of elements within a row that are columns of their own. */
const UNITS: ReadonlySet<string> = new Set(["unit", "units", "uom", "currency", "currencycode"]);

/** True for the name of an attribute that says in which unit or currency an element is. */
const isUnit = (attribute: string): boolean => UNITS.has(foldHeading(attribute));

/** A column of the rows: its heading, and the element that it comes from. */
interface FoundColumn {
  readonly heading: string;
  readonly element: Element;
  readonly attribute: string;
}

const columnsUnder = (element: Element, path: readonly string[]): FoundColumn[] =>
  [...element.children.values()].flatMap((child) => {
    const names = [...path, child.name];
    const units = [...child.attributes].filter(isUnit).map((attribute) => ({
      ...{ heading: [...names, attribute].join("."), element: child, attribute },
    }));
    if (!isOneCell(child)) return columnsUnder(child, names);
    const [only] = child.children.size === 1 ? child.children.values() : [child];
    return [{ heading: names.join("."), element: only ?? child, attribute: "" }, ...units];
  });

/** Finds out which elements of a file are its rows, and the names of the rows' columns. */
export const surveyXml = (): XmlSurvey => {
  const root = elementOf("", null);
  const open: OpenElement[] = [{ element: root, seen: new Set(), units: 0, line: 1 }];
  let [units, line, kinds] = [0, 1, 0];
  let fault: XmlSurvey["fault"] = null;

  /** What is wrong with the start of an element; `null` if nothing is. */
  const startElement = (token: Token, tag: string): string | null => {
    const parent = open.at(-1);
    if (parent === undefined || open.length > MAX_DEPTH) return `Elements are more than ${MAX_DEPTH} deep`;
    let element = parent.element.children.get(token.name);
    if (element === undefined) {
      if (++kinds > MAX_KINDS) return TOO_MANY_KINDS;
      element = elementOf(token.name, parent.element);
      parent.element.children.set(token.name, element);
    }
    element.isRepeated ||= parent.seen.has(element);
    parent.seen.add(element);
    for (const [name, value] of tag.includes("=") ? attributesOf(tag) : []) {
      element.dates.add(name, value);
      if (element.attributes.has(name)) continue;
      if (++kinds > MAX_KINDS) return TOO_MANY_KINDS;
      if (name.length > FILE_LIMITS.heading) return "The name of an attribute is too long";
      element.attributes.add(name);
    }
    open.push({ element, seen: new Set(), units, line });
    return null;
  };
  const endElement = (token: Token): string | null => {
    const closed = open.length > 1 ? open.pop() : undefined;
    if (closed === undefined) return `</${token.name}> ends no element`;
    if (closed.element.name !== token.name) return `</${token.name}> stands where <${closed.element.name}> is open`;
    closed.element.count++;
    const size = units + token.end - token.start - closed.units;
    if (size > closed.element.units) Object.assign(closed.element, { units: size, line: closed.line });
    return null;
  };
  const problemOf = (token: Token, text: string): string | null => {
    if (token.kind === "refused") return "A tag or declaration is not allowed; there may be no DOCTYPE";
    const isStart = token.kind === "start" || token.kind === "empty";
    const problem = isStart ? startElement(token, text.slice(token.start, token.end)) : null;
    return problem ?? (token.kind === "end" || token.kind === "empty" ? endElement(token) : null);
  };
  const add = (token: Token, text: string): void => {
    if (token.kind === "text" && token.end - token.start <= MAX_DATE)
      open.at(-1)?.element.dates.add("", text.slice(token.start, token.end).trim());
    const message = problemOf(token, text);
    if (message !== null) fault = { line, message };
    units += token.end - token.start;
    line += countLineEnds(text, token.start, token.end);
  };

  return {
    splitter: (text) => ({
      hasOpenQuote: false,
      next(from) {
        const token = from < text.length ? tokenAt(text, from) : null;
        if (token === null) return null;
        const segment = separator(from, token.end, countLineEnds(text, from, token.end));
        add(token, text);
        return { ...segment, isLast: fault !== null };
      },
    }),
    get fault() {
      return fault;
    },
    get isCutOff() {
      return open.length > 1;
    },
    rows() {
      const element = rowElement(root);
      if (element === null) return null;
      const own = [...element.attributes].map((attribute) => ({ heading: attribute, element, attribute }));
      // If two columns have one heading, they are one.
      const columns = new Map([...columnsUnder(element, []).reverse(), ...own].map((one) => [one.heading, one]));
      const heading = [...new Set([...own, ...columnsUnder(element, [])].map((one) => one.heading))];
      const dates = heading.map((name) => {
        const column = columns.get(name);
        return column?.element.dates.of(column.attribute) ?? null;
      });
      return { path: pathOf(element), count: element.count, heading, dates, units: element.units, line: element.line };
    },
  };
};

const CUT_OFF: RowProblem = { code: "file_cut_off", message: "the file ends before its elements do" };

/** The end of the element whose start tag ends at `from`; `null` if it does not end in this text. */
const elementEnd = (text: string, from: number): number | null => {
  let depth = 1;
  for (let token = tokenAt(text, from); token !== null; token = tokenAt(text, token.end)) {
    if (token.kind === "start") depth++;
    if (token.kind === "end" && --depth === 0) return token.end;
  }
  return null;
};

/** Splits XML into the elements at this path. With `isBegun`, the text begins after one of them. */
export const xmlElementSplitter = (rowPath: readonly string[], isBegun: boolean): RecordSplitter => {
  const path = isBegun ? rowPath.slice(0, -1) : [];
  const isRow = (name: string): boolean =>
    path.length === rowPath.length - 1 &&
    name === rowPath.at(-1) &&
    path.every((part, index) => part === rowPath[index]);
  return (text, isLastBlock): Block => {
    const cutOff = (from: number, isInElement: boolean): TextSegment | null => {
      if (!isLastBlock || !isInElement) return null;
      const lines = countLineEnds(text, from, text.length);
      path.length = 0;
      const end = Math.min(text.length, from + 1000);
      return {
        ...plainRecord({ start: from, end, next: text.length, linesBefore: 0, lines }),
        problem: CUT_OFF,
        isLast: true,
      };
    };
    return {
      hasOpenQuote: false,
      next(from) {
        const token = from < text.length ? tokenAt(text, from) : null;
        if (token === null) return cutOff(from, path.length > 0);
        const isTag = token.kind === "start" || token.kind === "empty";
        if (isTag && isRow(token.name)) {
          const end = token.kind === "empty" ? token.end : elementEnd(text, token.end);
          if (end === null) return cutOff(from, true);
          return plainRecord({ start: from, end, next: end, linesBefore: 0, lines: countLineEnds(text, from, end) });
        }
        if (token.kind === "start") path.push(token.name);
        if (token.kind === "end") path.pop();
        return separator(from, token.end, countLineEnds(text, from, token.end));
      },
    };
  };
};

const UNKNOWN_REFERENCE: RowProblem = {
  code: "row_unreadable",
  message: "has a reference (&…;) that XML does not know",
};

/** An element of a row that is being read. */
interface OpenCell {
  /** The names of the elements from the row to this one. */
  readonly key: string;
  /** The heading that its text belongs to: its own path, or that of the closest enclosing element that is a heading. */
  readonly heading: string | null;
  text: string;
  hasChildren: boolean;
}

/**
 * A row, or an element within another one. The path is built from that of the parent, so that deep elements cost no
 * more.
 */
const cellIn = (around: OpenCell | undefined, name: string, headings: ReadonlySet<string>): OpenCell => {
  if (around === undefined) return { key: "", heading: null, text: "", hasChildren: false };
  const key = around.key === "" ? name : `${around.key}.${name}`;
  const isHeading = key.length <= FILE_LIMITS.heading && headings.has(key);
  return { key, heading: isHeading ? key : around.heading, text: "", hasChildren: false };
};

/** The cells of a row by their headings. Repeated elements of a row become a list, separated by commas. */
export const xmlCells = (xml: string, headings: ReadonlySet<string>): ReadonlyMap<string, Cell> | RowProblem => {
  const cells = new Map<string, string>();
  const add = (key: string | null, text: string): void => {
    if (key === null) return;
    const before = cells.get(key);
    cells.set(key, before === undefined || before === "" ? text : `${before},${text}`);
  };
  const path: OpenCell[] = [];
  let isKnown = true;
  const plain = (text: string): string => {
    const read = dereferenced(text);
    isKnown &&= read !== null;
    return read ?? "";
  };
  for (let token = tokenAt(xml, 0); token !== null; token = token.end < xml.length ? tokenAt(xml, token.end) : null) {
    const text = xml.slice(token.start, token.end);
    const innermost = path.at(-1);
    if (token.kind === "start" || token.kind === "empty") {
      if (path.length === 0)
        for (const [name, value] of attributesOf(text)) add(headings.has(name) ? name : null, plain(value));
      if (innermost !== undefined) innermost.hasChildren = true;
      const cell = cellIn(innermost, token.name, headings);
      path.push(cell);
      if (innermost !== undefined && cell.key === cell.heading && text.includes("="))
        for (const [name, value] of attributesOf(text)) {
          const heading = `${cell.key}.${name}`;
          if (isUnit(name) && headings.has(heading)) add(heading, plain(value));
        }
    }
    if (innermost !== undefined && token.kind === "text") innermost.text += plain(text);
    if (innermost !== undefined && token.kind === "cdata") innermost.text += text.slice(9, -3);
    if (token.kind === "end" || token.kind === "empty") {
      const closed = path.pop();
      if (closed !== undefined && !closed.hasChildren && path.length > 0) add(closed.heading, closed.text.trim());
    }
  }
  return isKnown ? cells : UNKNOWN_REFERENCE;
};
