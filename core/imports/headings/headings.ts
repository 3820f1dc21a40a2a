import { type FieldOf, fieldsOf, type Kind } from "../../vehicles/fields.ts";
import { foldHeading } from "./fold-heading.ts";
import { namesWithoutNotes, nameWithoutUnit } from "./heading-notes.ts";
import { OTHER_HEADINGS } from "./other-headings.ts";

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
  "decimal",
  "money",
  "day",
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

/** What a column can contain besides the fields of a vehicle that a file can set. */
const BESIDE_FIELDS = ["sold_price", "images", "certified", "mileage_unit", "currency"] as const;

/**
 * What a column of a file can contain: a field of a vehicle, what it was sold for, its images, a flag for certified
 * vehicles, or the unit of its mileage or price.
 */
export type ImportField = FieldOf<Exclude<Kind, ReadOnly>> | (typeof BESIDE_FIELDS)[number];

/** All names of what a column can contain. */
export const IMPORT_FIELDS: readonly ImportField[] = [...SENDABLE, ...BESIDE_FIELDS];

/**
 * THE table of headings that are common in the trade, for each field and in addition to the field's name. They are in
 * folded form. If a field has several lists, the first list of which the file has a heading is used. docs/imports.md
 * shows the table.
 */
export const HEADINGS: Readonly<Partial<Record<ImportField, readonly (readonly string[])[]>>> = {
  dealer_id: [
    ["dealerid"],
    ["dealercode"],
    ["dealernumber", "dealerno", "dealernum"],
    ["dealershipid", "dealershipcode", "dealershipnumber"],
    ["storecode", "storeid", "storenumber", "storeno"],
    ["rooftopid", "rooftopcode"],
    ["accountid", "accountnumber"],
    ["dealer", "dealership"],
  ],
  vin: [
    ["vin", "vinnumber", "vehiclevin", "chassisno"],
    ["vincode", "chassisnumber"],
    ["vinno", "chassis"],
  ],
  stock_number: [
    ["stock", "stockno", "stocknum", "stocknumber", "stk", "inventorynumber"],
    ["stockid", "stkno", "stknumber"],
    ["stockref", "inventoryno", "inventory"],
    ["unitnumber", "unitno", "unit"],
  ],
  year: [
    ["year", "yr", "modelyear", "vehicleyear"],
    ["yearmodel", "modelyr", "mdlyr", "modyr"],
    ["mfgyear", "manufactureyear", "yearofmanufacture", "buildyear", "yearbuilt"],
  ],
  make: [
    ["make", "manufacturer", "brand"],
    ["makename", "vehiclemake"],
  ],
  model: [["model", "modelname"], ["vehiclemodel"]],
  trim: [
    ["trim", "series", "trimlevel", "specification"],
    ["trimname", "vehicletrim"],
    ["variant", "derivative"],
  ],
  price: [
    ["internetprice"],
    [
      ...["specialprice", "internetspecial", "webprice", "onlineprice", "ourprice", "cashprice"],
      ...["advertisedprice", "finalprice", "currentprice"],
    ],
    ["sellingprice", "salesprice", "saleprice", "askingprice"],
    ["asking"],
    ["price", "pricecurrent"],
    ["listprice", "retailprice", "retail"],
  ],
  sold_price: [["soldprice", "soldfor"]],
  mileage: [
    ["mileage", "miles", "odometer", "odo", "kms", "kilometers", "mileagevalue"],
    ["kilometres", "odometervalue", "odometerreading", "vehiclemileage"],
    ["km", "kmsdriven", "kmdriven"],
  ],
  mileage_unit: [
    ["mileageunit", "odometerunit", "mileageunits", "odometerunits", "distanceunit"],
    ["mileageuom", "odometeruom", "mileageunitofmeasure", "odometerunitofmeasure", "unitofmileage"],
  ],
  currency: [["pricecurrency", "currency", "currencycode", "pricecurrencycode"]],
  exterior_color: [
    ["exteriorcolor", "extcolor", "color", "colour", "exterior"],
    ["exteriorcolour", "extcolour", "colorexterior", "colourexterior", "colorext", "colourext"],
  ],
  interior_color: [
    ["interiorcolor", "intcolor"],
    ["interiorcolour", "intcolour", "colorinterior", "colourinterior", "colorint", "colourint"],
    ["interior"],
  ],
  condition: [["newused", "stateofvehicle", "inventorytype", "condition", "type"], ["vehiclecondition"]],
  certified: [
    ["certified", "cpo"],
    ["certifiedpreowned", "iscertified"],
  ],
  body_style: [["body", "bodystyle", "bodytype"], ["vehiclebody"]],
  drivetrain: [
    ["drivetrain", "drivetraintype", "drivetype", "drive"],
    ["drivelinetype", "driveline"],
    ["drivetraindesc"],
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
    ["remarks", "notes", "desc"],
  ],
  images: [
    ["imagelink", "mainimage", "mainphoto", "mainimageurl", "mainphotourl", "primaryimage", "primaryphoto"],
    ["photourllist", "photourls", "photos", "imageurl", "imagelist", "images", "additionalimagelink"],
    ["imageurls", "imageslist", "pictures", "photourl", "imagesurl", "photo", "image"],
    ["vehiclephotos", "vehicleimages", "vehiclepictures", "vehiclephoto", "vehicleimage", "pictureurls", "pictureurl"],
    ["photolist", "picturelist", "photolinks", "imagelinks", "photoslist", "additionalimages", "additionalphotos"],
  ],
  listed_at: [
    ["dateinstock", "inventorydate", "datefirstonlot"],
    ["instockdate", "stockdate"],
    ["datein", "dateadded", "dateinstk"],
  ],
  status: [["status"], ["vehiclestatus", "stockstatus"]],
  seats: [["seats"], ["seatingcapacity"]],
  doors: [["doors"], ["doorcount", "numberofdoors", "noofdoors", "numdoors", "doorno", "vehicledoors"]],
  owners: [
    ["owners", "previousowners", "numberofowners", "noofowners", "numberofpreviousowners", "prevowners"],
    ["ownercount", "formerowners", "formerkeepers", "previouskeepers", "numberofkeepers", "keepers"],
  ],
  date_first_registered: [
    ["datefirstregistered", "firstregistrationdate", "firstregistration", "dateoffirstregistration", "firstregistered"],
    ["registrationdate", "regdate", "dateofregistration", "dateregistered", "firstreg", "firstregdate"],
  ],
  warranty: [
    ["warrantydescription", "warrantytext", "warrantyinfo", "warranty"],
    ["vehiclewarranty", "warrantytype", "guarantee"],
  ],
  msrp: [
    ["msrp", "vehiclemsrp", "manufacturersuggestedretailprice", "suggestedretailprice", "manufacturersretailprice"],
    ["stickerprice", "sticker", "rrp", "recommendedretailprice", "retailmsrp", "pricemsrp", "msrpprice"],
  ],
  electric_range: [
    ["electricrange", "evrange", "batteryrange", "electricdrivingrange", "allelectricrange", "eaer"],
    ["rangeelectric", "rangewltp", "wltprange", "eparange", "estimatedrange", "electricrangewltp", "drivingrange"],
    ["rangekm", "rangemi", "rangemiles"],
  ],
  battery_capacity: [
    ["batterycapacity", "batterysize", "batterykwh", "batterycapacitykwh", "tractionbatterycapacity"],
    ["usablebatterycapacity", "batterycapacitygross", "batterycapacitynet"],
  ],
  charge_port: [
    ["chargeport", "chargingport", "chargeporttype", "chargingporttype", "chargertype", "plugtype"],
    ["chargingconnector", "connectortype", "chargingplug", "chargeconnector", "inlettype"],
  ],
  fuel_consumption: [
    ["fuelconsumption", "fuelconsumptioncombined", "combinedfuelconsumption", "consumptioncombined", "consumption"],
    ["fuelconsumptionl100km", "l100km", "consumptionl100km", "fuelconsumptionwltp", "averageconsumption"],
  ],
  energy_consumption: [
    ["energyconsumption", "energyconsumptioncombined", "electricconsumption", "electricityconsumption"],
    ["powerconsumption", "kwh100km", "consumptionkwh100km", "electricconsumptioncombined", "consumptionelectric"],
  ],
  co2_emissions: [
    ["co2emissions", "co2emission", "co2", "co2emissionscombined", "co2gkm", "co2emissionsgkm"],
    ["co2combined", "emissionsco2", "emissionco2", "carbonemissions", "co2wltp"],
  ],
  emissions_standard: [
    ["emissionsstandard", "emissionstandard", "emissionclass", "emissionsclass", "euronorm", "euroclass"],
    ["eurostandard", "euroemissionsstandard", "euroemissions", "eurostatus", "emissionnorm", "pollutionclass"],
  ],
};

/** The field that a heading names, the index of the list that contains the heading, and its place in it. */
export interface KnownHeading {
  readonly field: ImportField;
  readonly rank: number;
  readonly place: number;
}

/** How much later a heading of another language or of one system is used than those of the table. */
const OTHER_TABLE = 100;

const entriesOf = (
  field: ImportField,
  lists: readonly (readonly string[])[],
  first: number,
): (readonly [string, KnownHeading])[] =>
  lists.flatMap((list, index) =>
    list.map((heading, place) => [heading, { field, rank: first + index, place }] as const),
  );

const KNOWN: ReadonlyMap<string, KnownHeading> = new Map([
  ...OTHER_HEADINGS.flatMap((headings) =>
    (Object.entries(headings) as [ImportField, readonly string[]][]).flatMap(([field, names]) =>
      entriesOf(field, [names.map(foldHeading)], OTHER_TABLE),
    ),
  ),
  ...IMPORT_FIELDS.flatMap((field) => {
    const lists = HEADINGS[field] ?? [];
    const own = lists.flat().includes(foldHeading(field)) ? [] : entriesOf(field, [[foldHeading(field)]], 0);
    return [...own, ...entriesOf(field, lists, 0)];
  }),
]);

/** The places of images without a number: the main one, and then lists. */
const MAIN_PHOTO = -2;
const PHOTO_LIST = -1;
const MAIN_PHOTOS: ReadonlySet<string> = new Set(HEADINGS.images?.[0]);
/** A numbered column of images in folded form: `photo1`, `imageurl1`, `vehiclephoto12`, `image0url`. */
const NUMBERED_PHOTO =
  /^(?:vehicle|car|veh)?(?:photo|image|img|picture|pic|foto|bild|imagen|immagine)s?(?:url|link|href|src|uri|file|path)?(\d{1,3})(?:url|link|href|src|uri)?$/;
/** The maximum length of a known heading with what stands in brackets. */
const MAX_HEADING = 100;

const photoNumberIn = (folded: string): number | null => {
  const [, number] = (folded.length > MAX_HEADING ? null : NUMBERED_PHOTO.exec(folded)) ?? [];
  return number === undefined ? null : Number(number);
};

/** The place of a column of images among the others: its number, or before all numbers. */
export const photoPlaceOf = (heading: string): number => {
  const folded = foldHeading(heading);
  return photoNumberIn(folded) ?? (MAIN_PHOTOS.has(folded) ? MAIN_PHOTO : PHOTO_LIST);
};

const IMAGES: KnownHeading = { field: "images", rank: 0, place: 0 };

const knownName = (name: string): KnownHeading | undefined => {
  const folded = foldHeading(name);
  return KNOWN.get(folded) ?? (photoNumberIn(folded) === null ? undefined : IMAGES);
};

/** What both words of a heading such as `Mileage / Odometer` mean. */
const inTwoWords = (heading: string): KnownHeading | undefined => {
  const [one, other, ...others] = heading.split("/");
  if (one === undefined || other === undefined || others.length > 0) return undefined;
  const [first, second] = [knownName(one), knownName(other)];
  return first !== undefined && first.field === second?.field ? first : undefined;
};

/** What a heading means; `undefined` for an unknown one. What stands in brackets is a unit or a remark. */
export const knownHeading = (heading: string): KnownHeading | undefined => {
  if (heading.length > MAX_HEADING) return undefined;
  const known = knownName(heading);
  if (known !== undefined) return known;
  for (const name of namesWithoutNotes(heading)) {
    const found = knownName(name);
    if (found !== undefined) return found;
  }
  const both = inTwoWords(heading);
  if (both !== undefined) return both;
  const name = nameWithoutUnit(heading);
  const measured = name === null ? undefined : knownName(name);
  return measured !== undefined && MEASURED.has(measured.field) ? measured : undefined;
};

/** The fields that a heading may name with a unit behind, such as `Mileage KM`. */
const MEASURED: ReadonlySet<ImportField> = new Set(["mileage", "electric_range", "price", "sold_price", "msrp"]);

/** True for headings of files that this service wrote whose columns are never read. */
export const isComputed = (heading: string): boolean => COMPUTED.has(heading);

/** True if the name is in `IMPORT_FIELDS`. */
export const isImportField = (name: string): name is ImportField => IMPORT_FIELDS.some((field) => field === name);
