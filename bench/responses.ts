const END_OF_HEAD = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_START = "HTTP/1.1 ".length;
/** Responses without a body, and without a length either. */
const BODILESS = new Set([204, 304]);

/**
 * Finds the ends of HTTP responses in what a connection receives, reading no more of them than status and length.
 * Throws for a response without a Content-Length, which none of the contenders sends.
 */
export class Responses {
  private head: Buffer | null = null;
  private missing = 0;
  private status = 0;

  /** Takes in bytes of one response; its status once it is complete, 0 before. At most one is under way on a connection. */
  take(chunk: Buffer): number {
    if (this.missing > 0) {
      this.missing -= chunk.length;
      return this.missing === 0 ? this.status : 0;
    }
    const bytes = this.head === null ? chunk : Buffer.concat([this.head, chunk]);
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1) {
      // The runtime uses the chunk's memory again after this call.
      this.head = Buffer.from(bytes);
      return 0;
    }
    this.head = null;
    const head = bytes.toString("latin1", 0, end);
    this.status = Number(head.slice(STATUS_START, STATUS_START + 3));
    this.missing = this.lengthOf(head) - (bytes.length - end - END_OF_HEAD.length);
    if (this.missing < 0) throw new Error("more came than the response announced");
    return this.missing === 0 ? this.status : 0;
  }

  private lengthOf(head: string): number {
    if (BODILESS.has(this.status)) return 0;
    const length = LENGTH.exec(head)?.[1];
    if (length === undefined) throw new Error(`a response without a length: ${head}`);
    return Number(length);
  }
}
