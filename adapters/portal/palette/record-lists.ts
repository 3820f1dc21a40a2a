import type { Image } from "../../../core/images/image.ts";
import type { Permission } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { Query } from "../api/client.ts";
import { ROLE_LABELS } from "../api/responses.ts";
import { onLotInWords } from "../vehicles/days-on-lot.ts";
import { titleOf } from "../vehicles/vehicle-words.ts";

/** A page that the palette can open. */
export interface PaletteEntry {
  readonly to: string;
  readonly label: string;
  readonly detail?: string;
  /** What is compared between records, such as a price. */
  readonly figures?: string;
  /** The picture of a record; `null` if it has none, and left out if such records have no pictures. */
  readonly picture?: Image | null;
}

/** The fields of a found record of any kind that entries show. */
export interface FoundRecord
  extends Partial<
    Pick<
      Vehicle,
      | ("title" | "year" | "make" | "model" | "stock_number" | "vin" | "status")
      | ("exterior_color" | "price" | "listed_at" | "sold_at")
    >
  > {
  readonly id: number;
  /** Vehicles have none. */
  readonly name?: string;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly email?: string;
  readonly role?: PresentedUser["role"];
  readonly key_start?: string;
  readonly primary_image?: Image | null;
  readonly dealer_name?: string | null;
  readonly user_name?: string | null;
}

/** A list that the server searches by `q`; it returns only records that the signed-in user may see. */
export interface PaletteRecordList {
  readonly heading: string;
  /** The list is not requested without this permission. */
  readonly needs: Permission;
  /** The list's path in the service and in the portal; a record's path is its id below it. */
  readonly path: string;
  readonly query?: Query;
  /** True if the list accepts these words; by default it accepts any. */
  readonly accepts?: (words: string) => boolean;
  /** The name of records that have no `name`. */
  readonly nameOf?: (record: FoundRecord) => string;
  readonly detailOf: (record: FoundRecord) => string;
  readonly figuresOf?: (record: FoundRecord, price: (amount: number) => string) => string;
}

/** The parts that there are, with a sign between them. */
export const joined = (sign: string, ...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(sign);

/** The service accepts no more words in a search for vehicles. */
const MAX_WORDS = 8;

/** The lists that the palette searches, in the order of their groups. */
export const RECORD_LISTS: readonly PaletteRecordList[] = [
  {
    heading: "Vehicles",
    needs: "vehicles:read",
    path: "/vehicles",
    query: { include: "names,primary_image" },
    accepts: (words) => words.split(/\s+/).length <= MAX_WORDS,
    nameOf: ({ title = null, year = 0, make = "", model = "" }) => titleOf({ title, year, make, model }),
    detailOf: ({ exterior_color, stock_number, vin, dealer_name }) =>
      joined(" · ", exterior_color, stock_number, vin && `…${vin.slice(-6)}`, dealer_name),
    figuresOf: ({ price, listed_at = null, sold_at = null, status = "available" }, inWords) =>
      joined(" · ", price === undefined ? null : inWords(price), onLotInWords({ listed_at, sold_at, status })),
  },
  {
    heading: "Dealers",
    needs: "dealers:read",
    path: "/dealers",
    detailOf: ({ city, state }) => joined(", ", city, state),
  },
  {
    heading: "Users",
    needs: "users:read",
    path: "/users",
    detailOf: ({ email, role }) => joined(" · ", email, role && ROLE_LABELS[role]),
  },
  {
    heading: "Keys",
    needs: "keys:read",
    path: "/keys",
    query: { include: "names" },
    detailOf: ({ key_start, dealer_name, user_name }) => joined(" · ", `${key_start}…`, user_name ?? dealer_name),
  },
];
