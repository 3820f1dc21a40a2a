import { useState } from "react";
import { ApiError, put, read, versionOf } from "../api/client.ts";
import { changedFields, useDraft } from "./draft.ts";
import { CHANGED_MEANWHILE } from "./form.tsx";

/** What somebody else changed in a record while it was edited. */
export interface Conflict<Draft> {
  /** The fields that they changed. */
  readonly fields: readonly (keyof Draft & string)[];
  /** The record as it was opened, as it is now, and as the user wants to save it. */
  readonly before: Draft;
  readonly theirs: Draft;
  readonly mine: Draft;
  /** When the record was last changed before the user opened it. */
  readonly since: string;
}

/** What a form edits, and how it turns into a draft and back. */
export interface Editing<Item, Draft> {
  /** The record's path in the service. */
  readonly path: string;
  readonly record: Item;
  readonly draftOf: (record: Item) => Draft;
  readonly bodyOf: (draft: Draft) => object;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const fieldsChanged = <Draft extends object>(before: Draft, after: Draft): (keyof Draft & string)[] =>
  Object.keys(changedFields(before, after)) as (keyof Draft & string)[];

/**
 * Edits a record. `save` sends only what the user changed, and only if nobody else changed the record since it was
 * opened. Otherwise `save` throws, `conflict` lists what somebody else changed, untouched fields take those values, and
 * the next `save` sends what the user chose. A record without a version is read again before it is sent: a change
 * between the two requests goes unnoticed.
 */
export const useEdit = <Item extends { readonly updated_at: string }, Draft extends object>({
  path,
  record,
  draftOf,
  bodyOf,
}: Editing<Item, Draft>) => {
  const [base, setBase] = useState(record);
  const [conflict, setConflict] = useState<Conflict<Draft> | null>(null);
  const draft = useDraft(draftOf(record));
  const before = draftOf(base);
  const changes = changedFields(bodyOf(before), bodyOf(draft.values));

  /** Continues from the current record; throws if a field of the form differs. */
  const rebase = (now: Item): Item => {
    const theirs = draftOf(now);
    const fields = fieldsChanged(before, theirs);
    if (fields.length === 0) return now;
    setBase(now);
    const untouched = fields.filter((field) => isSame(draft.values[field], before[field]));
    draft.set(Object.fromEntries(untouched.map((field) => [field, theirs[field]])) as Partial<Draft>);
    setConflict({ fields, before, theirs, mine: draft.values, since: base.updated_at });
    throw new ApiError({
      status: 412,
      code: CHANGED_MEANWHILE,
      sentence: "Somebody changed this while you were editing. See what they changed, choose, and save again.",
    });
  };

  const save = async <Answer>(more: object = {}): Promise<Answer> => {
    const body = { ...changes, ...more };
    const isVersioned = versionOf(base) !== undefined;
    let seen = isVersioned ? base : rebase(await read<Item>(path));
    for (;;)
      try {
        return await put<Answer>(path, body, versionOf(seen));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        seen = rebase(await read<Item>(path));
      }
  };

  return { draft, changes, save, conflict, isChanged: !isSame(before, draft.values) };
};
