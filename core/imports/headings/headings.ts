import { foldLetters } from "../../search/words.ts";
import { type FieldOf, fieldsOf, type Kind } from "../../vehicles/fields.ts";

type ReadOnly = "id" | "moment" | "past-price" | "past-moment";

/** The fields of a vehicle that a file can set. */
const SENDABLE = fieldsOf(
  "dealer",
  "name",
  "year",
  "price",
  "status",
  "flag",
  "date",
  "stage",
  "text",
  "code",
  "long",
  "whole",
) satisfies readonly FieldOf<Exclude<Kind, ReadOnly>>[];

/**
 * Columns of files that this service wrote which are never read: the fields that the service sets, and why a row
 * failed.
 */
const COMPUTED: ReadonlySet<string> = new Set([
  ...fieldsOf("id", "moment", "past-price", "past-moment"),
  "import_line",
  "import_error",
]);

/**
 * What a column of a file can contain: a field of a vehicle, what it was sold for, its images, or a flag for certified
 * vehicles.
 */
export type ImportField = FieldOf<Exclude<Kind, ReadOnly>> | "sold_price" | "images" | "certified";

/** All names of what a column can contain. */
export const IMPORT_FIELDS: readonly ImportField[] = [...SENDABLE, "sold_price", "images", "certified"];

/**
 * THE table of headings that are common in the trade, for each field and in addition to the field's name. They are in
 * folded form. If a field has several lists, the first list of which the file has a heading is used. docs/imports.md
 * shows the table.
 */
export const HEADINGS: Readonly<Partial<Record<ImportField, readonly (readonly string[])[]>>> = {
  dealer_id: [["dealerid"]],
  vin: [
    ["vin", "vinnumber", "vehiclevin", "chassisno"],
    ["vincode", "chassisnumber"],
  ],
  stock_number: [
    ["stock", "stockno", "stocknum", "stocknumber", "stk", "inventorynumber"],
    ["stockid", "stkno", "stknumber"],
  ],
  year: [["year", "yr", "modelyear", "vehicleyear"]],
  make: [
    ["make", "manufacturer", "brand"],
    ["makename", "vehiclemake"],
  ],
  model: [["model", "modelname"], ["vehiclemodel"]],
  trim: [
    ["trim", "series", "trimlevel", "specification"],
    ["trimname", "vehicletrim"],
  ],
  price: [
    ["internetprice"],
    ["sellingprice", "salesprice", "saleprice", "askingprice"],
    ["price", "pricecurrent"],
    ["listprice", "retailprice"],
  ],
  sold_price: [["soldprice", "soldfor"]],
  mileage: [
    ["mileage", "miles", "odometer", "odo", "kms", "kilometers", "mileagevalue"],
    ["kilometres", "odometervalue", "odometerreading", "vehiclemileage"],
  ],
  exterior_color: [
    ["exteriorcolor", "extcolor", "color", "colour", "exterior"],
    ["exteriorcolour", "extcolour"],
  ],
  interior_color: [["interiorcolor", "intcolor"], ["interiorcolour", "intcolour"], ["interior"]],
  condition: [["newused", "type", "condition", "inventorytype", "stateofvehicle"], ["vehiclecondition"]],
  certified: [
    ["certified", "cpo"],
    ["certifiedpreowned", "iscertified"],
  ],
  body_style: [["body", "bodystyle", "bodytype"], ["vehiclebody"]],
  drivetrain: [
    ["drivetrain", "drivetraintype", "drivetype", "drive"],
    ["drivelinetype", "driveline"],
  ],
  engine: [["engine", "enginedescription", "enginetype"]],
  transmission: [["transmission", "trans", "transmissiontype", "transmissiondescription"], ["gearbox"]],
  fuel_type: [["fuel", "fueltype"], ["enginefueltype"]],
  features: [
    ["features", "options", "equipment", "selectedvehicleequip"],
    ["optiondescriptions", "vehicleoptions"],
  ],
  description: [
    ["description", "comments", "sellercomments", "freetext"],
    ["dealercomments", "vehiclecomments", "vehicledescription", "sellernotes"],
  ],
  images: [
    [
      ...["photourllist", "photourls", "photos", "imageurl", "imagelist", "images", "imagelink", "additionalimagelink"],
      ...Array.from({ length: 20 }, (_, index) => `image${index}url`),
      ...Array.from({ length: 50 }, (_, index) => `image${index + 1}`),
    ],
    ["imageurls", "imageslist", "pictures", "photourl", "imagesurl", "photo", "image"],
  ],
  listed_at: [
    ["dateinstock", "inventorydate", "datefirstonlot"],
    ["instockdate", "stockdate"],
  ],
  seats: [["seats"], ["seatingcapacity"]],
};

/** A heading without case, accents, blanks and punctuation. */
export const foldHeading = (heading: string): string => foldLetters(heading).replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The field that a heading names, and the index of the list that contains the heading. */
export interface KnownHeading {
  readonly field: ImportField;
  readonly rank: number;
}

const KNOWN: ReadonlyMap<string, KnownHeading> = new Map(
  IMPORT_FIELDS.flatMap((field) => {
    const lists = HEADINGS[field] ?? [];
    const own = lists.flat().includes(foldHeading(field)) ? [] : [[[foldHeading(field)], 0] as const];
    return [...own, ...lists.map((list, rank) => [list, rank] as const)].flatMap(([list, rank]) =>
      list.map((heading) => [heading, { field, rank }] as const),
    );
  }),
);

/** What a heading means; `undefined` for an unknown one. */
export const knownHeading = (heading: string): KnownHeading | undefined => KNOWN.get(foldHeading(heading));

/** True for headings of files that this service wrote whose columns are never read. */
export const isComputed = (heading: string): boolean => COMPUTED.has(heading);

/** True if the name is in `IMPORT_FIELDS`. */
export const isImportField = (name: string): name is ImportField => IMPORT_FIELDS.some((field) => field === name);
