import { type FieldOwners, OWNED_FIELDS, type Owner } from "../../../core/settings/field-owners.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { FieldRows } from "../forms/field-rows.tsx";
import { ChoiceField } from "../forms/fields.tsx";
import { fieldTitle } from "./columns.ts";
import { type Choices, labelIn } from "./import-words.ts";
import type { OwnerRow } from "./owner-rows.ts";

const OWNERS: Choices<Owner> = [
  ["hand", "The person"],
  ["file", "The file"],
];

const FIELDS = OWNED_FIELDS.map((field) => [field, fieldTitle(field)] as const);

/** The owners as facts. */
export const ownersInWords = (owners: FieldOwners): readonly (readonly [name: string, value: string])[] =>
  Object.entries(owners).map(([field, owner = "file"]) => [
    `${fieldTitle(field)}, changed by both`,
    labelIn(OWNERS, owner),
  ]);

interface OwnerFieldsProps {
  /** Who decides about fields that are not named. */
  readonly others: string;
  readonly rows: readonly OwnerRow[];
  readonly onChange: (rows: readonly OwnerRow[]) => void;
}

/** Who decides about a field that a file and a person have both changed. */
export const OwnerFields = ({ others, rows, onChange }: OwnerFieldsProps) => (
  <FieldGroup
    title="Whose word counts"
    description={`What somebody corrected stays as long as the file says the same as before. If the file then says something new, too, one of the two decides, for each field. ${others}`}
    fullWidth={
      <FieldRows
        noun="field"
        rows={rows}
        onChange={onChange}
        newRow={(id): OwnerRow => ({
          id,
          field: OWNED_FIELDS.find((name) => !rows.some(({ field }) => field === name)) ?? "",
          owner: "hand",
        })}
        renderFields={({ id, field, owner }, number, change) => (
          <>
            <ChoiceField
              path={`owned-${id}`}
              label={`Field ${number} of both`}
              value={field}
              onChange={(chosen) => change({ field: chosen })}
              options={FIELDS}
            />
            <ChoiceField
              path={`field_owners.${field}`}
              label={`Who decides about field ${number}`}
              value={owner}
              onChange={(chosen) => change({ owner: chosen })}
              options={OWNERS}
            />
          </>
        )}
      />
    }
  />
);
