import type { FieldOwners, Owner } from "../../../core/settings/field-owners.ts";

/** Who decides about a field, as a form holds it. */
export interface OwnerRow {
  readonly id: number;
  readonly field: string;
  readonly owner: Owner;
}

/** The rows of a form. */
export const ownerRows = (owners: FieldOwners): readonly OwnerRow[] =>
  Object.entries(owners).map(([field, owner = "file"], id) => ({ id, field, owner }));

/** The owners of a form's rows. */
export const ownersOfRows = (rows: readonly OwnerRow[]): FieldOwners =>
  Object.fromEntries(rows.map(({ field, owner }) => [field, owner]));
