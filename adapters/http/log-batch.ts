/*
 * Lines of the access log as bytes from the start: made as text, which is joined, copied and collected, they would add 1 to
 * 2 % to what reading a vehicle takes.
 */

const BATCH_BYTES = 64 * 1024;
const ZERO = "0".charCodeAt(0);
const POINT = ".".charCodeAt(0);

/** Log lines gathered as bytes and delivered together. To be written to from `filled` on, after `reserve`. */
export class LogBatch {
  bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
  filled = 0;

  /** `deliver` may keep what it gets. */
  constructor(private readonly deliver: (lines: Buffer) => void) {}

  /** Makes room for so many bytes, at most 64 KiB. */
  reserve(bytes: number): void {
    if (this.filled + bytes > BATCH_BYTES) this.flush();
  }

  /** Delivers what has been gathered. */
  flush(): void {
    if (this.filled === 0) return;
    this.deliver(this.bytes.subarray(0, this.filled));
    this.bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.filled = 0;
  }
}

/** A fixed part of lines, as bytes. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Puts a fixed part at a place. Like the others it returns the place behind what it put. */
export const put = (bytes: Uint8Array, at: number, part: Uint8Array): number => {
  bytes.set(part, at);
  return at + part.length;
};

/** Puts text that is ASCII. */
export const putAscii = (bytes: Uint8Array, at: number, text: string): number => {
  for (let place = 0; place < text.length; place++) bytes[at + place] = text.charCodeAt(place);
  return at + text.length;
};

/** Puts a whole number that is not negative. */
export const putNumber = (bytes: Uint8Array, at: number, value: number): number => {
  const last = value < 10 ? at : putNumber(bytes, at, Math.floor(value / 10));
  bytes[last] = ZERO + (value % 10);
  return last + 1;
};

/** Puts milliseconds with their thousandths. */
export const putMilliseconds = (bytes: Uint8Array, at: number, milliseconds: number): number => {
  const micros = Math.round(milliseconds * 1000);
  const point = putNumber(bytes, at, Math.floor(micros / 1000));
  bytes[point] = POINT;
  bytes[point + 1] = ZERO + (Math.floor(micros / 100) % 10);
  bytes[point + 2] = ZERO + (Math.floor(micros / 10) % 10);
  bytes[point + 3] = ZERO + (micros % 10);
  return point + 4;
};
