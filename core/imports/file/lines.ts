/** Finds a character in a text, from its start to its end, without searching any part twice. */
class ForwardSearch {
  private found = -1;

  constructor(
    private readonly text: string,
    private readonly sign: string,
  ) {}

  /** The first position at or after `from`; the length of the text if there is none. `from` must never decrease. */
  from(from: number): number {
    if (this.found < from) {
      const at = this.text.indexOf(this.sign, from);
      this.found = at < 0 ? this.text.length : at;
    }
    return this.found;
  }
}

/** The line ends of a text: LF, CR or CRLF. Positions must be asked for in ascending order. */
export class Lines {
  private readonly feeds: ForwardSearch;
  private readonly returns: ForwardSearch;

  constructor(
    private readonly text: string,
    private readonly isLastBlock: boolean,
  ) {
    this.feeds = new ForwardSearch(text, "\n");
    this.returns = new ForwardSearch(text, "\r");
  }

  /** The end of the line that contains `from`; the length of the text if no line end follows. */
  endFrom(from: number): number {
    return Math.min(this.feeds.from(from), this.returns.from(from));
  }

  /** The start of the line after a line end; `null` if it cannot be known before the next block. */
  startAfter(end: number): number | null {
    if (end >= this.text.length) return this.isLastBlock ? end : null;
    if (this.text[end] !== "\r") return end + 1;
    // The line feed of a CRLF may be the first character of the next block.
    if (end + 1 === this.text.length && !this.isLastBlock) return null;
    return this.text[end + 1] === "\n" ? end + 2 : end + 1;
  }

  /** The end of the blank lines that begin at `from`. */
  blankLinesEnd(from: number): number {
    let at = from;
    while (this.text[at] === "\n" || this.text[at] === "\r") at++;
    return at === this.text.length && !this.isLastBlock && this.text[at - 1] === "\r" && at > from ? at - 1 : at;
  }
}

/** The quotes of a text. Positions must be asked for in ascending order. */
export class Quotes {
  private readonly quotes: ForwardSearch;

  constructor(text: string) {
    this.quotes = new ForwardSearch(text, '"');
  }

  from(from: number): number {
    return this.quotes.from(from);
  }
}
