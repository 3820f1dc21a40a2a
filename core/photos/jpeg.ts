import { JpegScans } from "./jpeg-scans.ts";
import { CUT_OFF, Damaged, type Structure, viewOf } from "./structure.ts";

const MARK = 0xff;
const END = 0xd9;
const SCAN = 0xda;
const TABLES_OF_ARITHMETIC = 0xcc;
/** The bits of a frame's marker that say how it is coded; 2 is progressive. */
const CODING = 0x03;
const PROGRESSIVE = 2;
const FIRST_RESTART = 0xd0;
const LAST_RESTART = 0xd7;
const ALONE = 0x01;
/** Each scan of a progressive image makes the decoder go through all of it. */
const MAX_SCANS = 100;

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== TABLES_OF_ARITHMETIC;
const isRestart = (marker: number): boolean => marker >= FIRST_RESTART && marker <= LAST_RESTART;

/** The place of the next marker in the data of a scan, or -1. */
const markerBehindScan = (bytes: Uint8Array, from: number): number => {
  // A search for each mark would take long where every other byte is one.
  for (let at = from; at < bytes.length - 1; at++) {
    if (bytes[at] !== MARK) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== MARK && !isRestart(next)) return at;
  }
  return -1;
};

/** Walks through a JPEG from marker to marker, up to its end. */
export const jpegStructure = (bytes: Uint8Array): Structure | Damaged => {
  const view = viewOf(bytes);
  let size: { readonly width: number; readonly height: number } | null = null;
  let found: JpegScans | null = null;
  let scans = 0;
  for (let at = 2; ; ) {
    while (bytes[at] === MARK && bytes[at + 1] === MARK) at++;
    const marker = bytes[at + 1];
    if (marker === undefined) return CUT_OFF;
    if (bytes[at] !== MARK) return new Damaged("is damaged: a marker is missing");
    if (marker === END) {
      if (size === null || found === null) return new Damaged("is damaged: it has no picture");
      const { isGrayIfCut } = found;
      return found.fault() ?? { ...size, parts: [bytes.subarray(0, at + 2)], isTransparent: false, isGrayIfCut };
    }
    if (marker === ALONE || isRestart(marker)) {
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) return CUT_OFF;
    const length = view.getUint16(at + 2);
    if (length < 2) return new Damaged("is damaged: a part of it has no length");
    if (at + 2 + length > bytes.length) return CUT_OFF;
    if (isFrame(marker)) {
      if (size !== null) return new Damaged("is damaged: it says twice how large it is");
      if (length < 8) return new Damaged("is damaged: its size is missing");
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
      found = new JpegScans(bytes.subarray(at + 2, at + 2 + length), (marker & CODING) === PROGRESSIVE);
    }
    if (marker === SCAN) found?.add(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
    if (marker !== SCAN) continue;
    if (++scans > MAX_SCANS) return new Damaged(`has more than ${MAX_SCANS} scans`);
    at = markerBehindScan(bytes, at);
    if (at === -1) return CUT_OFF;
  }
};
