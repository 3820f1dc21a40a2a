import { Button, Text } from "@mantine/core";
import { HEADINGS, IMPORT_FIELDS, type ImportField } from "../../../core/imports/headings/headings.ts";
import { downloadCsv } from "../page/download-csv.ts";
import { fieldTitle } from "./columns.ts";

/** Two vehicles as a file has them, by the names of the fields. */
const SAMPLE: Readonly<Partial<Record<ImportField, readonly [string, string]>>> = {
  stock_number: ["A1001", "A1002"],
  vin: ["1HGBH41JXMN109186", ""],
  year: ["2021", "2023"],
  make: ["Honda", "Toyota"],
  model: ["Accord", "Corolla"],
  trim: ["EX", "LE"],
  price: ["18950", "21490"],
  mileage: ["42000", "18500"],
  condition: ["used", "used"],
  exterior_color: ["Blue", "White"],
  fuel_type: ["Gasoline", "Hybrid"],
  transmission: ["Automatic", "Automatic"],
  images: ["https://example.com/a1001-1.jpg|https://example.com/a1001-2.jpg", ""],
};
const LINE_END = "\r\n";

/** The sample as CSV. */
const sampleText = (): string =>
  [
    Object.keys(SAMPLE).join(","),
    ...[0, 1].map((row) =>
      Object.values(SAMPLE)
        .map((cells) => cells[row])
        .join(","),
    ),
    "",
  ].join(LINE_END);

/** The headings of a field that are shown. */
const SHOWN = 4;

const headingsOf = (field: ImportField): string =>
  [field, ...(HEADINGS[field] ?? []).flat()].slice(0, SHOWN).join(", ");

/** What a file may contain, for those who make one: a sample to download, and the fields with some of their headings. */
export const SampleFile = () => (
  <>
    <Text size="sm">
      What was imported is listed here for 30 days. To begin, drop a file above, or make one from the sample.
    </Text>
    <Button variant="default" size="xs" my="sm" onClick={() => downloadCsv([sampleText()], "vehicles.csv")}>
      Download a sample file
    </Button>
    <details className="file-fields">
      <summary>What a file may contain</summary>
      <ul>
        {IMPORT_FIELDS.map((field) => (
          <li key={field}>
            {fieldTitle(field)}: <span className="second-line">{headingsOf(field)}, …</span>
          </li>
        ))}
      </ul>
    </details>
  </>
);
