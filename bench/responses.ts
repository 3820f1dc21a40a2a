const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** As the measured servers write it. */
const LENGTHS = ["\r\nContent-Length: ", "\r\ncontent-length: "].map((text) => Buffer.from(text));
const STATUS_START = "HTTP/1.1 ".length;
const DIGIT_0 = "0".charCodeAt(0);
const DIGIT_9 = "9".charCodeAt(0);
/** The statuses of responses without a body and without a length. */
const BODILESS = new Set([204, 304]);

const CHUNKED = Buffer.from("\r\nTransfer-Encoding: chunked\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

const EMPTY = Buffer.alloc(0);

/** The number whose digits begin at `start`. */
const numberAt = (bytes: Buffer, start: number): number => {
  let number = 0;
  for (let place = start; place < bytes.length; place++) {
    const digit = bytes[place] ?? 0;
    if (digit < DIGIT_0 || digit > DIGIT_9) break;
    number = number * 10 + digit - DIGIT_0;
  }
  return number;
};

/** The length in the headers. `null` for a chunked body. */
const lengthIn = (bytes: Buffer, end: number): number | null => {
  for (const name of LENGTHS) {
    const start = bytes.indexOf(name);
    if (start !== -1 && start < end) return numberAt(bytes, start + name.length);
  }
  const start = bytes.indexOf(CHUNKED);
  if (start !== -1 && start < end) return null;
  throw new Error(`a response without a length: ${bytes.toString("latin1", 0, end)}`);
};

/**
 * Finds the ends of HTTP responses in the data of a connection. It reads only the status and the length, and creates no
 * garbage, because a pause of the load process would count as latency of the server. Throws if a response has neither a
 * length nor chunks.
 */
export class Responses {
  private head: Buffer | null = null;
  private remainingBytes = 0;
  private status = 0;
  /** The last bytes of a chunked body. `null` if no such body is being read. */
  private tail: Buffer | null = null;

  /**
   * Takes bytes of a response. Returns its status when it is complete, and 0 before. A connection has at most one
   * response at a time.
   */
  take(chunk: Buffer): number {
    if (this.tail !== null) return this.takeChunks(chunk);
    if (this.remainingBytes > 0) {
      this.remainingBytes -= chunk.length;
      return this.remainingBytes === 0 ? this.status : 0;
    }
    const bytes = this.head === null ? chunk : Buffer.concat([this.head, chunk]);
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1) {
      // The runtime uses the memory of the chunk again after this call.
      this.head = Buffer.from(bytes);
      return 0;
    }
    this.head = null;
    this.status = numberAt(bytes, STATUS_START);
    const length = BODILESS.has(this.status) ? 0 : lengthIn(bytes, end);
    if (length === null) return this.takeChunks(bytes);
    this.remainingBytes = length - (bytes.length - end - END_OF_HEAD.length);
    if (this.remainingBytes < 0) throw new Error("more came than the response announced");
    return this.remainingBytes === 0 ? this.status : 0;
  }
  /** Only the end of the last chunk looks like this, because no JSON has a line that is just `0`. */
  private takeChunks(chunk: Buffer): number {
    const bytes = chunk.length >= LAST_CHUNK.length ? chunk : Buffer.concat([this.tail ?? EMPTY, chunk]);
    const tail = bytes.subarray(-LAST_CHUNK.length);
    const isComplete = tail.equals(LAST_CHUNK);
    this.tail = isComplete ? null : Buffer.from(tail);
    return isComplete ? this.status : 0;
  }
}
