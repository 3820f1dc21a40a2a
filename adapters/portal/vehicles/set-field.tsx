import { useState } from "react";
import { VEHICLE_FIELDS, type Vehicle } from "../../../core/vehicles/fields.ts";
import { useDraft } from "../forms/draft.ts";
import { Fields } from "../forms/field-list.tsx";
import { ChoiceField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useDryRun, useUndoableChanges } from "./bulk-request.ts";
import { SETTABLE_FIELDS, type SettableField } from "./settable-fields.ts";
import { useSuggestions } from "./suggestions.ts";
import { bodyOfVehicle, draftOfVehicle, labelOf } from "./vehicle-draft.ts";
import { typedFields } from "./vehicle-fields.tsx";
import { titleWithStockNumber } from "./vehicle-words.ts";

const CHOICES = SETTABLE_FIELDS.map((field) => [field, labelOf(field)] as const);
/** Dealers ask channels for it most often. */
const FIRST: SettableField = "condition";

const REQUIRED_KINDS: readonly string[] = ["name", "year"];
const isRequired = (field: SettableField): boolean => REQUIRED_KINDS.includes(VEHICLE_FIELDS[field].kind);

/** The dealer of all rows; `null` if they have several. */
const dealerOf = (rows: readonly Vehicle[]): number | null => {
  const [first] = rows;
  return first !== undefined && rows.every(({ dealer_id }) => dealer_id === first.dealer_id) ? first.dealer_id : null;
};

const inWords = (value: unknown): string => (value === null || value === "" ? "empty" : String(value));

/** Sets one field of the selected vehicles, at first `first`. Undo sets it back where nobody changed it since. */
export const SetField = ({
  first = FIRST,
  ...dialogProps
}: BulkDialogProps<Vehicle> & { readonly first?: SettableField }) => {
  const { rows } = dialogProps;
  const { changeVehicles, undoAll } = useUndoableChanges();
  const [field, setField] = useState<SettableField>(first);
  const draft = useDraft(draftOfVehicle());
  const suggestionsFor = useSuggestions(dealerOf(rows), draft.values.make);
  const value = bodyOfVehicle(draft.values)[field] ?? null;
  const isMissing = value === null && isRequired(field);
  const changes = { [field]: value };
  // Taking a value away is not tried before somebody has asked for it.
  const skipReasonOf = useDryRun(rows, value === null ? null : { changes });
  return (
    <BulkChange
      {...dialogProps}
      title={(count) => `Set ${labelOf(field).toLowerCase()} of ${formatCount(count, "vehicle")}?`}
      confirm={value === null ? "Empty it" : "Set it"}
      resultTitle={(count) => `${labelOf(field)} of ${formatCount(count, "vehicle")} set`}
      isChanged={draft.isChanged}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      skipReason={skipReasonOf}
      detail={(row) => `${inWords(row[field])}, will be ${inWords(value)}`}
      validate={() => throwIfIssues(isMissing ? [{ path: field, message: "is required" }] : [])}
      changeAll={(some) => changeVehicles(some, { changes })}
      undoAll={undoAll}
    >
      <ChoiceField path="field" label="Field" value={field} onChange={setField} options={CHOICES} />
      <Fields list={typedFields([field], suggestionsFor)} {...draft} />
    </BulkChange>
  );
};
