import type { Import } from "../../../core/imports/import.ts";
import type { Mapping } from "../../../core/imports/mapping.ts";
import { isTaughtField, type TaughtField } from "../../../core/imports/values/known-values.ts";
import type { OwnValues } from "../../../core/imports/values/own-values.ts";
import { change, read, readList } from "../api/client.ts";
import { MAPPING_NAME, MAPPINGS } from "./saved-columns.ts";

/** What one word of a field means. */
export interface Meaning {
  readonly field: TaughtField;
  readonly word: string;
  readonly value: string;
}

const withMeanings = (values: OwnValues, meanings: readonly Meaning[]): OwnValues => {
  const all: Partial<Record<TaughtField, Record<string, string>>> = {};
  for (const [field, words] of Object.entries(values)) if (isTaughtField(field)) all[field] = { ...words };
  for (const { field, word, value } of meanings) all[field] = { ...all[field], [word]: value };
  return all;
};

/** The mapping that the file of an import was read with: the named one, or that of the portal; `null` if there is none. */
const mappingOf = async ({ options, dealer_id: dealer }: Import): Promise<Mapping | null> => {
  if (options.mapping !== undefined) return read<Mapping>(`${MAPPINGS}/${options.mapping}`);
  const { items } = await readList<Mapping>(MAPPINGS, { dealer_id: String(dealer), limit: 100 });
  return items.find(({ name }) => name === MAPPING_NAME) ?? null;
};

/** Keeps what words mean with the mapping of an import, for its next files. Returns all that the mapping knows. */
export const saveMeanings = async (record: Import, meanings: readonly Meaning[]): Promise<OwnValues> => {
  const mapping = await mappingOf(record);
  const values = withMeanings(mapping?.values ?? {}, meanings);
  if (mapping !== null) await change("PUT", `${MAPPINGS}/${mapping.id}`, { values });
  else
    await change("POST", MAPPINGS, {
      ...{ name: MAPPING_NAME, dealer_id: record.dealer_id, columns: record.options.columns, values },
    });
  return values;
};
