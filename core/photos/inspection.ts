import { Failure, invalid, type Outcome } from "../failure.ts";
import { jpegStructure } from "./jpeg.ts";
import { pngStructure } from "./png.ts";
import { foundIn, kindOf, type PhotoKind } from "./signature.ts";
import { Damaged, type Structure } from "./structure.ts";
import { webpStructure } from "./webp.ts";

const MEBIBYTE = 1024 * 1024;

/** The limits of a photo that is sent. */
export const PHOTO_LIMITS = { bytes: 20 * MEBIBYTE, pixels: 50_000_000, least: 16 } as const;

/** The media types of photos that are taken. */
export const PHOTO_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

const STRUCTURES: Readonly<Record<PhotoKind, (bytes: Uint8Array) => Structure | Damaged>> = {
  jpeg: jpegStructure,
  png: pngStructure,
  webp: webpStructure,
};

/** A photo whose header was read. */
export interface InspectedPhoto extends Structure {
  readonly kind: PhotoKind;
}

/** The 400 for a photo. */
export const badPhoto = (message: string): Failure => invalid({ path: "file", message });

const unsupported = (bytes: Uint8Array): Failure => {
  const found = foundIn(bytes);
  return new Failure({
    kind: "file-unsupported",
    reason:
      found === "HEIC"
        ? "The file is HEIC, as iPhones save photos: send it as JPEG (on the phone: Settings, Camera, Formats, Most Compatible); JPEG, PNG and WebP are taken"
        : `The file is ${found}; JPEG, PNG and WebP are taken`,
  });
};

/** Judges a photo by its bytes, before anything is decoded. */
export const inspectPhoto = (bytes: Uint8Array): Outcome<InspectedPhoto> => {
  if (bytes.length === 0) return badPhoto("must be an image, and not empty");
  const kind = kindOf(bytes);
  if (kind === null) return unsupported(bytes);
  const structure = STRUCTURES[kind](bytes);
  if (structure instanceof Damaged) return badPhoto(structure.reason);
  const { width, height } = structure;
  if (width < PHOTO_LIMITS.least || height < PHOTO_LIMITS.least)
    return badPhoto(
      `is ${width} × ${height} pixels: it must have ${PHOTO_LIMITS.least} × ${PHOTO_LIMITS.least} at least`,
    );
  if (width * height > PHOTO_LIMITS.pixels)
    return badPhoto(`is ${width} × ${height} pixels: it must have ${PHOTO_LIMITS.pixels / 1_000_000} million at most`);
  return { ...structure, kind };
};
