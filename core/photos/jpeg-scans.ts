import { CUT_OFF, Damaged } from "./structure.ts";

const COEFFICIENTS = 64;
/** Where a frame's and a scan's components begin behind the marker's length, and what each takes. */
const FRAME_COMPONENTS_AT = 8;
const FRAME_COMPONENT_BYTES = 3;
const SCAN_COMPONENTS_AT = 3;
const SCAN_COMPONENT_BYTES = 2;
/** No bit of a coefficient has come yet. */
const NOTHING = 255;

/** What the scans of a JPEG have brought so far, by the ids of its components: of each coefficient, the lowest bit. */
export class JpegScans {
  private readonly lowest = new Map<number, Uint8Array>();
  private scans = 0;

  /** `frame` begins with the length of the frame's header. */
  constructor(
    frame: Uint8Array,
    private readonly isProgressive: boolean,
  ) {
    const count = frame[FRAME_COMPONENTS_AT - 1] ?? 0;
    for (
      let at = FRAME_COMPONENTS_AT;
      at < FRAME_COMPONENTS_AT + count * FRAME_COMPONENT_BYTES;
      at += FRAME_COMPONENT_BYTES
    )
      this.lowest.set(frame[at] ?? 0, new Uint8Array(COEFFICIENTS).fill(NOTHING));
  }

  /** Notes a scan, whose header begins with its length. */
  add(scan: Uint8Array): void {
    this.scans++;
    const end = SCAN_COMPONENTS_AT + (scan[SCAN_COMPONENTS_AT - 1] ?? 0) * SCAN_COMPONENT_BYTES;
    const [first = 0, last = 0, bits = 0] = this.isProgressive ? scan.subarray(end, end + 3) : [0, COEFFICIENTS - 1, 0];
    for (let at = SCAN_COMPONENTS_AT; at < end; at += SCAN_COMPONENT_BYTES)
      this.lowest.get(scan[at] ?? 0)?.fill(bits & 0xf, first, last + 1);
  }

  /** The reason why the scans make no whole picture, or `null`. */
  fault(): Damaged | null {
    if (this.scans === 0) return new Damaged("is damaged: it has no picture");
    const isWhole = [...this.lowest.values()].every((bits) => bits.every((lowest) => lowest === 0));
    return isWhole ? null : CUT_OFF;
  }

  /** True if a part of the picture that is missing is gray when it is decoded. */
  get isGrayIfCut(): boolean {
    return this.scans === 1 && !this.isProgressive && this.lowest.size <= 3;
  }
}
