import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import { whyVehicleMissed } from "../access/missed-vehicle.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import type { Timestamp } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, type Outcome } from "../failure.ts";
import { PageQuery } from "../page.ts";
import { type Input, text } from "../schema.ts";
import { OWNED_FIELDS } from "../settings/field-owners.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { Vehicles } from "../vehicles/vehicles.ts";
import { imagesAfter } from "./bases.ts";
import type { ComparedWithFiles, CorrectionRepository, SaidOfVehicle } from "./correction-repository.ts";
import { isEqual, type KeptValue } from "./merge.ts";
import { isSameValue } from "./values/cell-readers.ts";

/** The files that are compared with each other. */
export const FILE_SOURCES = ["source", "mapping", "uploads"] as const;

/** A value of a vehicle that is not the one of the last file. */
export interface Correction extends KeptValue {
  /** Where the file came from. */
  readonly source: {
    readonly type: (typeof FILE_SOURCES)[number];
    readonly id: number | null;
    readonly name: string | null;
  };
  /** When the file was read that last said something new of the vehicle. */
  readonly at: Timestamp;
}

/** What somebody sold it for is kept with the sale, and `images_then` is no field. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["images_then", "sold_price"]);

const sourceIn = ({ source, name }: SaidOfVehicle): Correction["source"] => {
  const [type, id] = source.split(":");
  const known = FILE_SOURCES.find((one) => one === type) ?? "uploads";
  return { type: known, id: id === undefined ? null : Number(id), name };
};

/**
 * The values of a vehicle that are not those of its files, each beside the latest file's. A value that any of the files
 * has is no correction.
 */
const correctionsOf = ({ vehicle, images, said }: ComparedWithFiles): readonly Correction[] => {
  const record: Readonly<Record<string, unknown>> = { ...vehicle, images };
  const isOfFile = (field: string, { base }: SaidOfVehicle): boolean =>
    field === "images" ? isEqual(imagesAfter(base), images) : isSameValue(field, record[field], base[field]);
  const fields = new Set(said.flatMap(({ base }) => Object.keys(base)).filter((field) => !NOT_SHOWN.has(field)));
  return [...fields].flatMap((field) => {
    const saying = said.filter(({ base }) => field in base);
    const [latest] = saying;
    if (latest === undefined || saying.some((one) => isOfFile(field, one))) return [];
    const { base, at } = latest;
    return [{ field, file: base[field], ours: record[field] ?? null, source: sourceIn(latest), at }];
  });
};

/** Query of GET /api/vehicles/:id/corrections. */
export const CorrectionsQuery = Type.Object({
  limit: PageQuery.limit,
  cursor: Type.Optional(
    text(1, 500, {
      description: "`meta.next_cursor` of the previous page. The list continues exactly where that page ended.",
    }),
  ),
});
export type CorrectionsQuery = Input<typeof CorrectionsQuery>;

/** A page of corrections, with the field of its last one if more follow. */
export interface CorrectionPage {
  readonly total: number;
  readonly items: readonly Correction[];
  readonly last: string | null;
}

const placeOf = ({ field }: Pick<Correction, "field">): number => OWNED_FIELDS.indexOf(field);

/** Those after a field, in the order of the fields. */
const pageAfter = (all: readonly Correction[], after: string | null, limit: number): CorrectionPage => {
  const from = after === null ? Number.NEGATIVE_INFINITY : placeOf({ field: after });
  const rest = all.filter((one) => placeOf(one) > from).sort((one, other) => placeOf(one) - placeOf(other));
  const items = rest.slice(0, limit);
  return { total: all.length, items, last: rest.length > limit ? (items.at(-1)?.field ?? null) : null };
};

interface Ports {
  readonly corrections: CorrectionRepository;
  readonly vehicles: Pick<VehicleRepository, "ownerOf">;
  readonly changeVehicle: Vehicles["update"];
}

/** Use cases of what people corrected against files (interface 6.1). */
export const makeCorrections = ({ corrections, vehicles, changeVehicle }: Ports) => {
  const found = async (
    principal: Principal,
    operation: Operation,
    id: number,
  ): Promise<Outcome<readonly Correction[]>> => {
    const compared = await findOrExplain(
      () => corrections.find(id, scopeOf(principal)),
      () => whyVehicleMissed(vehicles, { principal, operation, id }),
    );
    return compared instanceof Failure ? compared : correctionsOf(compared);
  };

  return {
    /** A page of the corrections of a vehicle, in the order of its fields. It begins after the field `after`. */
    list: useCase(
      "vehicle.corrections",
      async (
        principal,
        { id, limit = 100 }: { readonly id: number } & Pick<CorrectionsQuery, "limit">,
        after: string | null = null,
      ): Promise<Outcome<CorrectionPage>> => {
        const all = await found(principal, "vehicle.corrections", id);
        return all instanceof Failure ? all : pageAfter(all, after, limit);
      },
    ),

    /**
     * Gives a vehicle the file's value of a field. Returns false if it has it, or if no file said anything of the field.
     */
    takeFile: useCase("vehicle.take-file", async (principal, id: number, field: string): Promise<Outcome<boolean>> => {
      const all = await found(principal, "vehicle.take-file", id);
      if (all instanceof Failure) return all;
      const correction = all.find((one) => one.field === field);
      if (correction === undefined) return false;
      const changed = await changeVehicle(principal, { id, input: { [field]: correction.file } });
      return changed instanceof Failure ? changed : true;
    }),
  };
};

export type Corrections = ReturnType<typeof makeCorrections>;
