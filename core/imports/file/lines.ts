/** The places of a sign in a text, each sought once. */
class Sought {
  private found = -1;

  constructor(
    private readonly text: string,
    private readonly sign: string,
  ) {}

  /** The first place at or behind `from`, which never goes back; the length of the text if there is none. */
  from(from: number): number {
    if (this.found < from) {
      const at = this.text.indexOf(this.sign, from);
      this.found = at < 0 ? this.text.length : at;
    }
    return this.found;
  }
}

/** The ends of lines of a text: LF, CR or CRLF. Places that are asked for never go back. */
export class Lines {
  private readonly feeds: Sought;
  private readonly returns: Sought;

  constructor(
    private readonly text: string,
    private readonly isLastBlock: boolean,
  ) {
    this.feeds = new Sought(text, "\n");
    this.returns = new Sought(text, "\r");
  }

  /** Where the line ends that has `from`; the length of the text if it has no end. */
  endFrom(from: number): number {
    return Math.min(this.feeds.from(from), this.returns.from(from));
  }

  /** Where the line begins that follows an end of a line; `null` if the next block must say it. */
  startAfter(end: number): number | null {
    if (end >= this.text.length) return this.isLastBlock ? end : null;
    if (this.text[end] !== "\r") return end + 1;
    // The line feed of a CRLF may be the first sign of the next block.
    if (end + 1 === this.text.length && !this.isLastBlock) return null;
    return this.text[end + 1] === "\n" ? end + 2 : end + 1;
  }

  /** Where blank lines from `from` on end. */
  blanksFrom(from: number): number {
    let at = from;
    while (this.text[at] === "\n" || this.text[at] === "\r") at++;
    return at === this.text.length && !this.isLastBlock && this.text[at - 1] === "\r" && at > from ? at - 1 : at;
  }
}

/** The quotes of a text. Places that are asked for never go back. */
export class Quotes {
  private readonly quotes: Sought;

  constructor(text: string) {
    this.quotes = new Sought(text, '"');
  }

  from(from: number): number {
    return this.quotes.from(from);
  }
}
