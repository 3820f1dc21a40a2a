import type { Coding } from "./coding.ts";
import type { Block, Divider, Piece } from "./divider.ts";
import type { RowProblem } from "./file.ts";

/** A row of CSV, a line of NDJSON, an element of JSON or XML. */
export interface FileRecord {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly hasQuotes: boolean;
  readonly problem: RowProblem | null;
  /** The line where it begins, from 1. */
  readonly line: number;
  /** Where what follows begins: bytes from the start of the file, and the line. */
  readonly next: Place;
}

/** A place between records. */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

/** How a file is read. */
export interface Opening {
  readonly coding: Coding;
  /** Bytes of the mark before the text. */
  readonly markBytes: number;
  /** How the text is divided, and from where on; `null` if the text is too short to say. */
  divider(
    text: string,
    isLastBlock: boolean,
  ): { readonly divider: Divider; readonly from: number; readonly lines: number } | null;
}

/** Why reading ended before the file did. */
export type EarlyEnd = "row-too-long" | "problem";

/** Smaller pieces are put together, so that a record in a thousand pieces is not searched a thousand times. */
const LEAST_BLOCK = 64 * 1024;

const NOT_IN_CHARSET: RowProblem = {
  code: "not_in_charset",
  message: "has bytes that are no text in the charset of the file; name the right one in `charset`",
};

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** A block of bytes, as text of units. */
interface Part {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** The records of a file whose start is known. */
class OpenRecords {
  private divider: Divider | null = null;
  /** A quote was open where a row reached the greatest length: the file behind it says if it is ever closed. */
  hasQuoteBehind = false;
  end: EarlyEnd | null = null;

  constructor(
    private readonly opening: Opening,
    private readonly rowBytes: number,
    private place: Place,
  ) {}

  get line(): number {
    return this.place.line;
  }

  /** Reads the records that are whole, and says how many bytes it took. */
  read(bytes: Uint8Array, isLastBlock: boolean): { readonly records: readonly FileRecord[]; readonly taken: number } {
    const { coding } = this.opening;
    const text = coding.units(bytes.subarray(0, bytes.length - (bytes.length % coding.unitBytes)));
    if (this.end !== null) {
      this.hasQuoteBehind ||= text.includes('"');
      return { records: [], taken: bytes.length };
    }
    const start = this.open(text, isLastBlock);
    const block = this.divider?.(text, isLastBlock) ?? null;
    const records: FileRecord[] = [];
    const part = { bytes, text };
    const at = block === null ? start : this.divide(block, part, { start, records });
    const rest = (text.length - at) * coding.unitBytes;
    if (this.end === null && rest > this.rowBytes && !isLastBlock) {
      this.tooLong(block, { text: text.slice(at), bytes: bytes.subarray(at * coding.unitBytes) }, records);
      return { records, taken: bytes.length };
    }
    return { records, taken: this.end === null ? at * coding.unitBytes : bytes.length };
  }

  private open(text: string, isLastBlock: boolean): number {
    if (this.divider !== null) return 0;
    const opened = this.opening.divider(text, isLastBlock);
    if (opened === null) return 0;
    this.divider = opened.divider;
    this.place = this.behind(opened.from, opened.lines);
    return opened.from;
  }

  /** The place so many units and lines further on. */
  private behind(units: number, lines: number): Place {
    return { offset: this.place.offset + units * this.opening.coding.unitBytes, line: this.place.line + lines };
  }

  /** Puts the whole records of a block into the list, and returns where the rest of its text begins. */
  private divide(block: Block, part: Part, { start, records }: { start: number; records: FileRecord[] }): number {
    let at = start;
    for (let piece = block.next(at); piece !== null && this.end === null; piece = block.next(at)) {
      if (piece.isRecord && (piece.end - piece.start) * this.opening.coding.unitBytes > this.rowBytes) {
        this.place = { ...this.place, line: this.place.line + piece.linesBefore };
        this.end = "row-too-long";
        return at;
      }
      const line = this.place.line + piece.linesBefore;
      this.place = this.behind(piece.next - at, piece.linesBefore + piece.lines);
      if (piece.isRecord) records.push(this.record(piece, part, line));
      if (piece.isLast) this.end = "problem";
      at = piece.next;
    }
    return at;
  }

  private record(piece: Piece, { text, bytes }: Part, line: number): FileRecord {
    const { coding } = this.opening;
    const own = bytes.subarray(piece.start * coding.unitBytes, piece.end * coding.unitBytes);
    const read = coding.rowText(text.slice(piece.start, piece.end), own);
    return {
      text: read.text,
      bytes: own,
      hasQuotes: piece.hasQuotes,
      problem: piece.problem ?? (read.isDamaged ? NOT_IN_CHARSET : null),
      line,
      next: this.place,
    };
  }

  /** A record that is too long, or whose quote is never closed. */
  private tooLong(block: Block | null, rest: Part, records: FileRecord[]): void {
    const piece = block?.hasOpenQuote ? (this.divider?.(rest.text, true).next(0) ?? null) : null;
    this.end = piece?.isLast ? "problem" : "row-too-long";
    if (piece?.isLast) records.push(this.record(piece, rest, this.place.line));
  }
}

/**
 * The records of a file, from its bytes in pieces of any size. It keeps a block of bytes and at most one record of the
 * greatest length.
 */
export class Records {
  private parts: Uint8Array[] = [];
  private pending = 0;
  private opened: { readonly records: OpenRecords; readonly coding: Coding } | null = null;

  /** `openingOf` gets the first bytes: 64 kB or more, or the whole file. */
  constructor(
    private readonly openingOf: (first: Uint8Array) => Opening,
    private readonly rowBytes: number,
    private readonly from: Place = { offset: 0, line: 1 },
  ) {}

  /** Why nothing more is read; `null` as long as there is no reason. */
  get end(): EarlyEnd | null {
    return this.opened?.records.end ?? null;
  }

  /** The line where the next record begins. */
  get line(): number {
    return this.opened?.records.line ?? this.from.line;
  }

  /** Quotes stand behind the row whose quote seemed never to be closed, so that it is only too long. */
  get hasQuoteBehind(): boolean {
    return this.opened?.records.hasQuoteBehind ?? false;
  }

  /** The coding; `null` before anything was read. */
  get coding(): Coding | null {
    return this.opened?.coding ?? null;
  }

  /** The whole records of what was pushed, of which the caller may use the memory again. */
  push(bytes: Uint8Array): readonly FileRecord[] {
    this.parts.push(bytes.slice());
    this.pending += bytes.length;
    return this.pending < LEAST_BLOCK ? [] : this.read(false);
  }

  /** The records that were left, behind the last piece. */
  finish(): readonly FileRecord[] {
    return this.read(true);
  }

  private read(isLastBlock: boolean): readonly FileRecord[] {
    const bytes = joined(this.parts);
    const skipped = this.opened === null ? this.open(bytes) : 0;
    const unread = bytes.subarray(skipped);
    const { records = [], taken = 0 } = this.opened?.records.read(unread, isLastBlock) ?? {};
    this.pending = 0;
    this.parts = taken < unread.length ? [unread.slice(taken)] : [];
    return records;
  }

  /** The bytes of the mark at the start. */
  private open(bytes: Uint8Array): number {
    const opening = this.openingOf(bytes);
    const place = { ...this.from, offset: this.from.offset + opening.markBytes };
    this.opened = { records: new OpenRecords(opening, this.rowBytes, place), coding: opening.coding };
    return opening.markBytes;
  }
}
