import type { Permission } from "../../../core/access/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { Query } from "../api/client.ts";
import { ROLE_LABELS } from "../api/responses.ts";
import { titleOf } from "../vehicles/vehicle-words.ts";

/** Something to go to. */
export interface PaletteEntry {
  readonly to: string;
  readonly label: string;
  readonly detail?: string;
}

/** What is read of a found record of any kind. */
export interface FoundRecord
  extends Partial<Pick<Vehicle, "title" | "year" | "make" | "model" | "stock_number" | "vin" | "status">> {
  readonly id: number;
  /** Vehicles have none. */
  readonly name?: string;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly email?: string;
  readonly role?: PresentedUser["role"];
  readonly key_start?: string;
  readonly dealer_name?: string | null;
  readonly user_name?: string | null;
}

/** A list of records that the server searches by `q`; it answers those that the signed-in user may see. */
export interface PaletteRecordList {
  readonly heading: string;
  /** Without it the list is not asked. */
  readonly needs: Permission;
  /** The list, which is also the address of its page; records are below it. */
  readonly path: string;
  readonly query?: Query;
  /** True for words that the list takes; any unless given. */
  readonly accepts?: (words: string) => boolean;
  /** The name, unless the record has one. */
  readonly nameOf?: (record: FoundRecord) => string;
  readonly detailOf: (record: FoundRecord) => string;
}

const joined = (sign: string, ...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(sign);

/** The most words of a search for vehicles. */
const MAX_WORDS = 8;

/** The records that are found from anywhere, in the order of their groups. */
export const RECORD_LISTS: readonly PaletteRecordList[] = [
  {
    heading: "Vehicles",
    needs: "vehicles:read",
    path: "/vehicles",
    query: { include: "names" },
    accepts: (words) => words.split(/\s+/).length <= MAX_WORDS,
    nameOf: ({ title = null, year = 0, make = "", model = "" }) => titleOf({ title, year, make, model }),
    detailOf: ({ stock_number, vin, dealer_name }) =>
      joined(" · ", stock_number, vin && `…${vin.slice(-6)}`, dealer_name),
  },
  {
    heading: "Dealers",
    needs: "dealers:read",
    path: "/dealers",
    detailOf: ({ city, state }) => joined(", ", city, state),
  },
  {
    heading: "Keys",
    needs: "keys:read",
    path: "/keys",
    query: { include: "names" },
    detailOf: ({ key_start, dealer_name, user_name }) => joined(" · ", `${key_start}…`, user_name ?? dealer_name),
  },
  {
    heading: "Users",
    needs: "users:read",
    path: "/users",
    detailOf: ({ email, role }) => joined(" · ", email, role && ROLE_LABELS[role]),
  },
];
