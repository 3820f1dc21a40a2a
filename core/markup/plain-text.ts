import { withoutEntities } from "./entities.ts";

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre section summary table tbody tfoot thead title tr ul".split(
    " ",
  ),
);
/** Elements within a line. */
const INLINE = new Set(
  "a abbr audio b big br button caption cite code col del em embed font i iframe img input ins label link map mark marquee meta noscript object option param picture q s script select small source span strike strong style sub sup svg td template textarea th time tt u var video wbr".split(
    " ",
  ),
);
/** Elements whose contents nobody reads, with their ends. */
const UNREAD: ReadonlyMap<string, RegExp> = new Map([
  ["script", /<\/script/gi],
  ["style", /<\/style/gi],
]);
/** Elements that separate what stands before and after them. */
const CELLS = new Set(["td", "th"]);

const NAME = /^\/?([a-z][a-z0-9:-]*)/i;

/** The name of the element whose tag has these contents; `null` if they are text: `<sales@example.com>`, `a <b and> c`. */
const elementOf = (contents: string): string | null => {
  const [written, name] = NAME.exec(contents) ?? [];
  if (written === undefined || name === undefined) return null;
  const element = name.toLowerCase();
  const rest = contents.slice(written.length).trim();
  if (rest === "" || rest === "/") return element;
  const isKnown = BLOCKS.has(element) || INLINE.has(element);
  // A letter alone stands in formulas too: behind it must be what attributes look like.
  return (isKnown && element.length > 1) || rest.includes("=") ? element : null;
};

/** The place of the `>` that ends the tag at `start`; -1 for none. A `>` in quotes ends no tag, every `<` begins one. */
const endOfTag = (text: string, start: number): number => {
  let quote = "";
  for (let place = start + 1; place < text.length; place++) {
    const character = text[place] ?? "";
    if (character === "<") return -1;
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return place;
    else if ((character === '"' || character === "'") && text[place - 1] === "=") quote = character;
  }
  return -1;
};

const FIRST_BREAK = /^[^\S\n]*\n?[^\S\n]*/;

/** A text that is put together from parts and breaks. */
const textInLines = () => {
  let text = "";
  let isBroken = true;
  return {
    /** Adds a part. A line end of its own directly behind a break counts as that break. */
    add(part: string): void {
      const more = isBroken ? part.replace(FIRST_BREAK, "") : part;
      text += more;
      if (more !== "") isBroken = false;
    },
    /** Begins a line, unless one has just begun. */
    begin(): void {
      if (!isBroken && !text.endsWith("\n")) text += "\n";
      isBroken = true;
    },
    /** Ends the line. */
    end(): void {
      text += "\n";
      isBroken = true;
    },
    text: () => text,
  };
};

const COMMENT = "<!--";
const COMMENT_END = "-->";
/** The signs around a text of XML that is not to be read as markup. */
const CDATA = /<!\[CDATA\[|\]\]>/g;

/** The place behind the next `end`, or the end of the text. */
const behind = (text: string, end: string, from: number): number => {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
};

/** The place where the end of an element begins whose contents nobody reads. */
const endOfUnread = (text: string, end: RegExp, from: number): number => {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
};

/** One pass over the tags of a text. Each character is looked at a fixed number of times. */
const withoutTags = (written: string): string => {
  const text = written.includes("<![CDATA[") ? written.replace(CDATA, "") : written;
  const lines = textInLines();
  let place = 0;
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<", place)) {
    lines.add(text.slice(place, start));
    if (text.startsWith(COMMENT, start)) {
      place = behind(text, COMMENT_END, start);
      continue;
    }
    const end = endOfTag(text, start);
    const contents = end < 0 ? "" : text.slice(start + 1, end);
    const isDeclaration = contents.startsWith("!") || contents.startsWith("?");
    const element = isDeclaration ? null : elementOf(contents);
    place = end + 1;
    if (isDeclaration) continue;
    if (element === null) {
      lines.add("<");
      place = start + 1;
    } else if (element === "br") lines.end();
    else if (BLOCKS.has(element)) lines.begin();
    else if (CELLS.has(element)) lines.add(" ");
    else {
      const unread = contents.startsWith("/") ? undefined : UNREAD.get(element);
      if (unread !== undefined) place = endOfUnread(text, unread, place);
    }
  }
  lines.add(text.slice(place));
  return lines.text();
};

/** Some systems encode what was encoded before. */
const MAX_PASSES = 3;
const MARKUP = /[<&]/;
const BLANKS = /[^\S\n]{2,}/g;
const EMPTY_LINES = /\n{3,}/g;

const trimmedLines = (text: string): string =>
  text
    .replace(BLANKS, " ")
    .split("\n")
    .map((line) => line.trim())
    .join("\n");

/**
 * The text that a browser would show for a text with tags and entities of HTML: list items and `<br>` begin lines,
 * links are their words. What is no tag stays: `5 < 6`. A text without markup stays as it is.
 */
export const plainText = (written: string): string => {
  let text = written;
  for (let pass = 0; pass < MAX_PASSES && MARKUP.test(text); pass++) {
    const before = text;
    text = withoutEntities(text.includes("<") ? withoutTags(text) : text);
    if (text === before) break;
  }
  return text === written ? written : trimmedLines(text).replace(EMPTY_LINES, "\n\n").trim();
};

const LINKS = /(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"]+/gi;
/** What ends a sentence or a bracket, and not an address. */
const SIGNS = ".,;:!?)]}'’»";
const EMPTY_BRACKETS = /\(\s{0,9}\)|\[\s{0,9}\]|<\s{0,9}>/g;
const BLANK_BEFORE_SIGN = / (?=[.,;:!?)\]])/g;

/** The signs behind an address, which belong to the text around it. */
const signsBehind = (link: string): string => {
  let end = link.length;
  while (end > 0 && SIGNS.includes(link[end - 1] ?? " ")) end--;
  return link.slice(end);
};

/** The text without its links. The signs behind them stay, but for brackets that had nothing else in them. */
export const withoutLinks = (text: string): string => {
  const without = text.replace(LINKS, signsBehind);
  return without === text ? text : trimmedLines(without.replace(EMPTY_BRACKETS, "")).replace(BLANK_BEFORE_SIGN, "");
};
