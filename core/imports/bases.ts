import type { Owner } from "../settings/field-owners.ts";
import type { FormerlyCalled } from "./former-keys.ts";
import type { ImportOptions } from "./import.ts";
import type { ExistingImage } from "./import-repository.ts";
import { type Base, isEqual, type KeptValue, mergedField } from "./merge.ts";
import type { ImageWay } from "./row-images.ts";
import { wantedImages } from "./row-images.ts";
import type { RowValues } from "./values/values.ts";

/**
 * Whose files are compared with each other: those of an import source, those that were read with a saved mapping, or
 * all others that were uploaded for a dealer.
 */
export const sourceOf = ({
  sourceId,
  options: { mapping },
}: {
  readonly sourceId: number | null;
  readonly options: Pick<ImportOptions, "mapping">;
}): string => {
  if (sourceId !== null) return `source:${sourceId}`;
  return mapping === undefined ? "uploads" : `mapping:${mapping}`;
};

/** How the rows of a file are compared with the last file. */
export interface Merging {
  readonly source: string;
  /** False if the values of the file are written whatever people changed. They are still kept for the next file. */
  readonly isOn: boolean;
  readonly ownerOf: (field: string) => Owner;
  /** The vehicles that the last file called so, and that have another key since. */
  readonly formerlyCalled: FormerlyCalled;
}

const saysNothingNew = (before: Base, file: Base): boolean => {
  for (const field of Object.keys(file)) {
    const value = file[field];
    if (before[field] !== value && !isEqual(before[field], value)) return false;
    if (value === undefined || !(field in before)) return false;
  }
  return true;
};

/** What is kept after a row; `null` if the row said nothing new. */
export const baseAfter = (before: Base | null, ...files: readonly Base[]): Base | null =>
  before !== null && files.every((file) => saysNothingNew(before, file))
    ? null
    : Object.assign({ ...before }, ...files);

/** The images that a vehicle gets from a row; `null` for no change. */
export interface MergedImages {
  readonly wanted: readonly string[] | null;
  readonly kept: readonly KeptValue[];
  /** What is kept of the row: its images, and what the vehicle has by now if these are others, as files are added. */
  readonly said: Base;
}

const listIn = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

/**
 * The images that a vehicle has after a file, unless people changed them since. With `append` and `keep`, they are not
 * those of the file.
 */
export const imagesAfter = (base: Base): readonly string[] => listIn(base.images_then ?? base.images);

/**
 * Compares the images of a row with those of the last file. Images that are added to others are added once: those that
 * somebody removed stay away.
 */
export const mergedImages = (
  values: Pick<RowValues, "images" | "primary">,
  present: readonly ExistingImage[],
  { way, base, merging }: { readonly way: ImageWay; readonly base: Base | null; readonly merging: Merging | null },
): MergedImages => {
  const ours = present.map(({ address }) => address);
  const file = values.images;
  const result = (wanted: readonly string[] | null, kept: readonly KeptValue[] = []): MergedImages => {
    const then = kept.length > 0 && base !== null ? imagesAfter(base) : (wanted ?? ours);
    return {
      wanted,
      kept,
      said: file === null ? {} : { images: file, images_then: isEqual(then, file) ? null : then },
    };
  };
  const wanted = wantedImages(values, present, way);
  if (wanted === null || file === null || base === null || merging?.isOn !== true) return result(wanted);
  const before = listIn(base.images);
  if (way === "append") {
    const added = file.filter((address) => !before.includes(address));
    return result(wantedImages({ ...values, images: added }, present, way));
  }
  const owner = merging.ownerOf("images");
  const verdict = mergedField({ base: isEqual(before, file) ? file : imagesAfter(base), file, record: ours, owner });
  if (verdict !== "record") return result(wanted);
  return way === "replace" ? result(null, [{ field: "images", file, ours }]) : result(null);
};
