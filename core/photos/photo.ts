import { VARIANTS } from "../images/image.ts";
import type { InspectedPhoto } from "./inspection.ts";

/** The number of variants' pixels: `public` fits into a square, the others have a width. */
export const PUBLIC_PIXELS = 2560;

/** The widths of the variants other than `public`, the widest first. */
export const WIDTHS = { large: 1200, medium: 800, thumbnail: 200 } as const;

/** The formats in which each variant is kept. */
export const PHOTO_FORMATS = ["jpg", "webp"] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** The name of a variant's file. */
export const fileOf = (variant: string, format: PhotoFormat): string => `${variant}.${format}`;

/** The names of all files of a photo. */
export const PHOTO_FILES: readonly string[] = VARIANTS.flatMap((variant) =>
  PHOTO_FORMATS.map((format) => fileOf(variant, format)),
);

/** The facts of a photo that its images carry. */
export interface PhotoFacts {
  /** Of `public`, in pixels. */
  readonly width: number;
  readonly height: number;
  /** A data URL of a small blurred picture. */
  readonly placeholder: string;
}

/** A photo that was made anew from the pixels of a sent one. */
export interface MadePhoto extends PhotoFacts {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A quarter turn to the right, or several. */
export const TURNS = [90, 180, 270] as const;
export type Turn = (typeof TURNS)[number];

/** Makes the variants of photos, off the event loop. */
export interface PhotoMaker {
  /** Returns `null` if the image turns out to be damaged. */
  make(image: InspectedPhoto, turn?: Turn): Promise<MadePhoto | null>;
}
