import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { type InspectedPhoto, PHOTO_LIMITS } from "../../core/photos/inspection.ts";
import {
  fileOf,
  type MadePhoto,
  PHOTO_FORMATS,
  type PhotoMaker,
  PUBLIC_PIXELS,
  type Turn,
  WIDTHS,
} from "../../core/photos/photo.ts";
import { hasGrayCorner, withMoreData } from "./cut-jpeg.ts";
import { opaque } from "./opaque.ts";
import { release } from "./release.ts";

const inflated = promisify(inflate);

/** The largest colour profile that is inflated. Real ones have 3 MB at most. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 78;
const INSIDE = { fit: "inside", withoutEnlargement: true } as const;
/** Higher than any image becomes within its limits, so that only the width counts. */
const ANY_HEIGHT = 65_535;
const LARGEST = { maxPixels: PHOTO_LIMITS.pixels };
/** What is kept between the steps: every pixel, and hardly any work. */
const LOSSLESS = { compressionLevel: 0 } as const;
const END_OF_NAME = 0;

/** Pixels on their way from one size to the next. */
interface Pixels {
  readonly png: Uint8Array;
  readonly isTransparent: boolean;
}

/** True if a colour profile is small enough to be inflated by the decoder, which knows no limit. */
const isSmallProfile = async (chunk: Uint8Array): Promise<boolean> => {
  const end = chunk.indexOf(END_OF_NAME);
  if (end === -1) return false;
  try {
    await inflated(chunk.subarray(end + 2), { maxOutputLength: MAX_PROFILE_BYTES });
    return true;
  } catch {
    return false;
  }
};

const isDamaged = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("ERR_IMAGE_");

/** Gives a variant the files of the one before it, which is no larger. */
const copyFiles = (files: Map<string, Uint8Array>, from: string, to: string): void => {
  for (const format of PHOTO_FORMATS) {
    const bytes = files.get(fileOf(from, format));
    if (bytes !== undefined) files.set(fileOf(to, format), bytes);
  }
};

/** A small blurred picture. As the runtime makes it, a PNG, it would be six times as long. */
const placeholderOf = async (png: Uint8Array): Promise<string> => {
  const [, blurred = ""] = (await new Bun.Image(png).placeholder()).split(",");
  const webp = await new Bun.Image(Buffer.from(blurred, "base64")).webp({ quality: WEBP_QUALITY }).bytes();
  return `data:image/webp;base64,${Buffer.from(webp).toString("base64")}`;
};

/** Makes photos by the runtime's codecs, which work on threads of their own. */
export const photoMaker = (): PhotoMaker => {
  /** Writes a variant in both formats. Its pixels are read from a PNG without compression. */
  const encode = async (
    files: Map<string, Uint8Array>,
    variant: string,
    { png, isTransparent }: Pixels,
  ): Promise<void> => {
    const onPaper = isTransparent ? await opaque(png) : png;
    files.set(fileOf(variant, "webp"), await new Bun.Image(png).webp({ quality: WEBP_QUALITY }).bytes());
    files.set(fileOf(variant, "jpg"), await new Bun.Image(onPaper).jpeg({ quality: JPEG_QUALITY }).bytes());
    if (onPaper !== png) release(onPaper);
  };

  /** The pixels of `public`. */
  const decoded = (whole: Uint8Array, { kind }: InspectedPhoto, turn: Turn | 0): Promise<Uint8Array> =>
    new Bun.Image(whole, { ...LARGEST, autoOrient: kind === "jpeg" })
      .rotate(turn)
      .resize(PUBLIC_PIXELS, PUBLIC_PIXELS, INSIDE)
      .png(LOSSLESS)
      .bytes();

  const madeOf = async (image: InspectedPhoto, turn: Turn | 0): Promise<MadePhoto | null> => {
    const { parts, kind, isTransparent, isGrayIfCut = false } = image;
    const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    let png = await decoded(whole, image, turn);
    const hash = Bun.hash(png);
    const mayBeCut = kind === "jpeg" && (!isGrayIfCut || (await hasGrayCorner(png)));
    const { width, height } = await new Bun.Image(png).metadata();
    const files = new Map<string, Uint8Array>();
    await encode(files, "public", { png, isTransparent });
    let before = { variant: "public", width };
    // Each variant is made from the next larger one, which has the pixels that it needs.
    for (const [variant, pixels] of Object.entries(WIDTHS)) {
      if (before.width <= pixels) copyFiles(files, before.variant, variant);
      else {
        const larger = png;
        png = await new Bun.Image(larger).resize(pixels, ANY_HEIGHT, INSIDE).png(LOSSLESS).bytes();
        release(larger);
        await encode(files, variant, { png, isTransparent });
      }
      before = { variant, width: Math.min(before.width, pixels) };
    }
    if (mayBeCut) {
      const again = await decoded(withMoreData(whole), image, turn);
      const isSame = Bun.hash(again) === hash;
      release(again);
      if (!isSame) return null;
    }
    return { width, height, placeholder: await placeholderOf(png), files };
  };

  return {
    async make(image, turn) {
      if (image.packedProfile !== undefined && !(await isSmallProfile(image.packedProfile))) return null;
      try {
        return await madeOf(image, turn ?? 0);
      } catch (error) {
        if (isDamaged(error)) return null;
        throw error;
      }
    },
  };
};
