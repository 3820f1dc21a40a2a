import { scopeOf } from "../access/decide.ts";
import { type Caller, isAdmitted } from "../access/use-case.ts";
import { visibilityOfUsers } from "../access/visibility.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import { enriched, type Listing } from "../page.ts";
import type { UserRepository } from "../users/user-repository.ts";

/** The fields of records that name a dealer or user by id, and the field beside each that takes the name. */
export const NAME_FIELDS_OF_IDS = {
  dealer_id: { field: "dealer_name", whose: "dealer" },
  bound_dealer_id: { field: "bound_dealer_name", whose: "dealer" },
  user_id: { field: "user_name", whose: "user" },
} as const;

type Naming = typeof NAME_FIELDS_OF_IDS;
type IdField = keyof Naming;

/** A record that names others by id. */
export type WithReferences = { readonly [Field in IdField]?: number | null };

/** A record with a name beside each id. */
export type Named<Item extends WithReferences> = Item & {
  readonly [Field in IdField & keyof Item as Naming[Field]["field"]]: string | null;
};

const ID_FIELDS = Object.keys(NAME_FIELDS_OF_IDS) as IdField[];

const NOBODY: ReadonlyMap<number, string> = new Map();

interface Ports {
  readonly dealers: Pick<DealerRepository, "names">;
  readonly users: Pick<UserRepository, "names">;
}

/**
 * Adds names to records, two statements for all of them. Nobody is told the name of a record that they may not read.
 */
export const makeNames = ({ dealers, users }: Ports) => {
  const idsIn = (records: readonly WithReferences[], whose: "dealer" | "user"): number[] => {
    const ids = new Set<number>();
    for (const field of ID_FIELDS)
      if (NAME_FIELDS_OF_IDS[field].whose === whose)
        for (const record of records) {
          const id = record[field];
          if (id !== null && id !== undefined) ids.add(id);
        }
    return [...ids];
  };

  const addTo = async <Item extends WithReferences>(
    caller: Caller,
    records: readonly Item[],
  ): Promise<readonly Named<Item>[]> => {
    const [dealerIds, userIds] = [idsIn(records, "dealer"), idsIn(records, "user")];
    const readsDealers = dealerIds.length > 0 && isAdmitted(caller, "dealer.read");
    const readsUsers = userIds.length > 0 && isAdmitted(caller, "user.read");
    const names = {
      dealer: readsDealers ? await dealers.names(dealerIds, scopeOf(caller)) : NOBODY,
      user: readsUsers ? await users.names(userIds, visibilityOfUsers(caller)) : NOBODY,
    };
    return records.map((record) => {
      const named: Record<string, unknown> = { ...record };
      for (const field of ID_FIELDS)
        if (field in record) {
          const { field: nameField, whose } = NAME_FIELDS_OF_IDS[field];
          named[nameField] = names[whose].get(record[field] ?? 0) ?? null;
        }
      return named as Named<Item>;
    });
  };

  /** The same for records that are JSON texts. */
  const addToTexts = async (caller: Caller, texts: readonly string[]): Promise<readonly string[]> => {
    const records = texts.map((text): WithReferences => JSON.parse(text));
    return (await addTo(caller, records)).map((record) => JSON.stringify(record));
  };

  return {
    addTo,
    addToTexts,

    /** The same for a listing; a long one gets its names slice by slice. */
    addToListing<Item extends WithReferences>(caller: Caller, listing: Listing<Item>): Promise<Listing<Named<Item>>> {
      return enriched(listing, (items) => addTo(caller, items));
    },
  };
};

export type Names = ReturnType<typeof makeNames>;
