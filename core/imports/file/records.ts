import type { CharsetDecoder } from "./charset-decoder.ts";
import type { RowProblem } from "./file.ts";
import type { Block, RecordSplitter, TextSegment } from "./record-splitter.ts";

/** A row of CSV, a line of NDJSON, an item of a JSON list or an XML element. */
export interface FileRecord {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly hasQuotes: boolean;
  readonly problem: RowProblem | null;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The position of the next record. */
  readonly next: RecordPosition;
}

/** A position between records: the number of bytes from the start of the file, and the line. */
export interface RecordPosition {
  readonly offset: number;
  readonly line: number;
}

/** How a file is read. */
export interface ReadingPlan {
  readonly decoder: CharsetDecoder;
  /** The length of the byte order mark. */
  readonly markBytes: number;
  /** The splitter for the text, and the start of its first record; `null` if the text is too short to tell. */
  splitter(
    text: string,
    isLastBlock: boolean,
  ): { readonly splitter: RecordSplitter; readonly from: number; readonly lines: number } | null;
}

/** The reason why reading ended before the end of the file. */
export type EarlyEnd = "row-too-long" | "problem";

/** Smaller chunks are collected first. Otherwise a record in a thousand chunks would be searched a thousand times. */
const MIN_BLOCK_BYTES = 64 * 1024;

const NOT_IN_CHARSET: RowProblem = {
  code: "not_in_charset",
  message: "has bytes that are no text in the charset of the file; name the right one in `charset`",
};

const concatenated = (parts: readonly Uint8Array[]): Uint8Array => {
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

/** A block of bytes with its units as text. */
interface DecodedBlock {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** The records of a file whose start is known. */
class RecordParser {
  private splitter: RecordSplitter | null = null;
  /**
   * True if a quote follows a row that reached the maximum length with an open quote. The open quote may be closed
   * then.
   */
  hasLaterQuote = false;
  end: EarlyEnd | null = null;

  constructor(
    private readonly plan: ReadingPlan,
    private readonly rowBytes: number,
    private position: RecordPosition,
  ) {}

  get line(): number {
    return this.position.line;
  }

  /** Reads the complete records. Returns them with the number of bytes that were consumed. */
  read(bytes: Uint8Array, isLastBlock: boolean): { readonly records: readonly FileRecord[]; readonly taken: number } {
    const { decoder } = this.plan;
    const text = decoder.units(bytes.subarray(0, bytes.length - (bytes.length % decoder.unitBytes)));
    if (this.end !== null) {
      this.hasLaterQuote ||= text.includes('"');
      return { records: [], taken: bytes.length };
    }
    const start = this.open(text, isLastBlock);
    const block = this.splitter?.(text, isLastBlock) ?? null;
    const records: FileRecord[] = [];
    const part = { bytes, text };
    const at = block === null ? start : this.divide(block, part, { start, records });
    const rest = (text.length - at) * decoder.unitBytes;
    if (this.end === null && rest > this.rowBytes && !isLastBlock) {
      this.endAtLongRecord(block, { text: text.slice(at), bytes: bytes.subarray(at * decoder.unitBytes) }, records);
      return { records, taken: bytes.length };
    }
    return { records, taken: this.end === null ? at * decoder.unitBytes : bytes.length };
  }

  private open(text: string, isLastBlock: boolean): number {
    if (this.splitter !== null) return 0;
    const opened = this.plan.splitter(text, isLastBlock);
    if (opened === null) return 0;
    this.splitter = opened.splitter;
    this.position = this.positionAfter(opened.from, opened.lines);
    return opened.from;
  }

  /** The position after this number of units and lines. */
  private positionAfter(units: number, lines: number): RecordPosition {
    return { offset: this.position.offset + units * this.plan.decoder.unitBytes, line: this.position.line + lines };
  }

  /** Adds the complete records of a block to the list. Returns the start of the remaining text. */
  private divide(
    block: Block,
    part: DecodedBlock,
    { start, records }: { start: number; records: FileRecord[] },
  ): number {
    let at = start;
    for (let segment = block.next(at); segment !== null && this.end === null; segment = block.next(at)) {
      if (segment.isRecord && (segment.end - segment.start) * this.plan.decoder.unitBytes > this.rowBytes) {
        this.position = { ...this.position, line: this.position.line + segment.linesBefore };
        this.end = "row-too-long";
        return at;
      }
      const line = this.position.line + segment.linesBefore;
      this.position = this.positionAfter(segment.next - at, segment.linesBefore + segment.lines);
      if (segment.isRecord) records.push(this.record(segment, part, line));
      if (segment.isLast) this.end = "problem";
      at = segment.next;
    }
    return at;
  }

  private record(segment: TextSegment, { text, bytes }: DecodedBlock, line: number): FileRecord {
    const { decoder } = this.plan;
    const own = bytes.subarray(segment.start * decoder.unitBytes, segment.end * decoder.unitBytes);
    const read = decoder.rowText(text.slice(segment.start, segment.end), own);
    return {
      text: read.text,
      bytes: own,
      hasQuotes: segment.hasQuotes,
      problem: segment.problem ?? (read.isDamaged ? NOT_IN_CHARSET : null),
      line,
      next: this.position,
    };
  }

  /** Ends reading at a record that is too long or has a quote that is never closed. */
  private endAtLongRecord(block: Block | null, rest: DecodedBlock, records: FileRecord[]): void {
    const segment = block?.hasOpenQuote ? (this.splitter?.(rest.text, true).next(0) ?? null) : null;
    this.end = segment?.isLast ? "problem" : "row-too-long";
    if (segment?.isLast) records.push(this.record(segment, rest, this.position.line));
  }
}

/**
 * Reads the records of a file from its bytes, in chunks of any size. It holds one block of bytes and at most one record
 * of the maximum length.
 */
export class RecordReader {
  private parts: Uint8Array[] = [];
  private pending = 0;
  private opened: { readonly records: RecordParser; readonly decoder: CharsetDecoder } | null = null;

  /** `planOf` receives the first bytes: at least 64 KiB, or the whole file. */
  constructor(
    private readonly planOf: (first: Uint8Array) => ReadingPlan,
    private readonly rowBytes: number,
    private readonly from: RecordPosition = { offset: 0, line: 1 },
  ) {}

  /** The reason why nothing more is read; `null` while reading continues. */
  get end(): EarlyEnd | null {
    return this.opened?.records.end ?? null;
  }

  /** The line on which the next record begins. */
  get line(): number {
    return this.opened?.records.line ?? this.from.line;
  }

  /** True if more quotes follow the row whose quote is open. The row is then too long, rather than never closed. */
  get hasLaterQuote(): boolean {
    return this.opened?.records.hasLaterQuote ?? false;
  }

  /** The decoder; `null` before anything was read. */
  get decoder(): CharsetDecoder | null {
    return this.opened?.decoder ?? null;
  }

  /** The records that are complete so far. The caller may reuse the memory of `bytes`. */
  push(bytes: Uint8Array): readonly FileRecord[] {
    this.parts.push(bytes.slice());
    this.pending += bytes.length;
    return this.pending < MIN_BLOCK_BYTES ? [] : this.read(false);
  }

  /** The remaining records, after the last chunk. */
  finish(): readonly FileRecord[] {
    return this.read(true);
  }

  private read(isLastBlock: boolean): readonly FileRecord[] {
    const bytes = concatenated(this.parts);
    const skipped = this.opened === null ? this.open(bytes) : 0;
    const unread = bytes.subarray(skipped);
    const { records = [], taken = 0 } = this.opened?.records.read(unread, isLastBlock) ?? {};
    this.pending = 0;
    this.parts = taken < unread.length ? [unread.slice(taken)] : [];
    return records;
  }

  /** Chooses how to read the file; returns the length of its byte order mark. */
  private open(bytes: Uint8Array): number {
    const plan = this.planOf(bytes);
    const place = { ...this.from, offset: this.from.offset + plan.markBytes };
    this.opened = { records: new RecordParser(plan, this.rowBytes, place), decoder: plan.decoder };
    return plan.markBytes;
  }
}
