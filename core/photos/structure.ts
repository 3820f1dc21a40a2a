/** What the header of an image says, without anything decoded. */
export interface Structure {
  readonly width: number;
  readonly height: number;
  /**
   * The ranges of the file that are decoded, in their order. Everything else (texts, positions, trailing bytes) never
   * reaches the decoder.
   */
  readonly parts: readonly Uint8Array[];
  /** True if pixels may be transparent. */
  readonly isTransparent: boolean;
  /** Of a JPEG: true if a part of the picture that is missing is gray when it is decoded. */
  readonly isGrayIfCut?: boolean;
  /** The compressed colour profile of a PNG, which must be measured before it is inflated. */
  readonly packedProfile?: Uint8Array;
}

/** The reason why an image is refused as damaged. */
export class Damaged {
  constructor(readonly reason: string) {}
}

/** The chunks that a PNG or WebP may have. Going through millions of empty ones would hold everybody up. */
export const MAX_CHUNKS = 20_000;
export const TOO_MANY_CHUNKS = new Damaged(`is in more than ${MAX_CHUNKS} pieces: save it anew`);

/** The refusal of a file that ends before its image does. */
export const CUT_OFF = new Damaged("ends before the image does: it did not arrive whole");

/** Reads big-endian numbers. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
