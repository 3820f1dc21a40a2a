import { useRef } from "react";
import { doubtedAgainst } from "../../../core/vehicles/price-doubt.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { readList } from "../api/client.ts";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { useAmountFormats } from "../settings/amounts.tsx";

/** So many of the dealer's vehicles show what such a vehicle costs. */
const PEERS_READ = 30;

/** A vehicle as a form sends it. */
type TypedVehicle = Readonly<Record<string, unknown>>;

/** False for numbers that no filter takes. */
const isYear = (typed: unknown): typed is number =>
  typeof typed === "number" && Number.isInteger(typed) && typed > 0 && typed < 10_000;

/** The prices of the dealer's other vehicles of the same model that are at most a year apart. */
const peerPrices = async ({ dealer_id, make, model, year }: TypedVehicle, id: number | null): Promise<number[]> => {
  if (typeof dealer_id !== "number" || !isYear(year) || !make || !model) return [];
  const { items } = await readList<Vehicle>(`/dealers/${dealer_id}/vehicles`, {
    make: String(make),
    model: String(model),
    min_year: year - 1,
    max_year: year + 1,
    limit: PEERS_READ,
  });
  return items.filter((peer) => peer.id !== id).map(({ price }) => price);
};

/**
 * Asks once about a price that is probably typed wrongly, of a new vehicle or of one whose form was opened: the form
 * shows the question at its field, and takes the same price the next time. If the peers cannot be read, it asks about
 * the last price only.
 */
export const usePriceQuestion = () => {
  const { price: inWords } = useAmountFormats();
  const asked = useRef<number | null>(null);
  return async (typed: TypedVehicle, before: Pick<Vehicle, "id" | "price"> | null): Promise<void> => {
    const { price } = typed;
    if (typeof price !== "number" || price === asked.current || price === before?.price) return;
    const peers = await peerPrices(typed, before?.id ?? null).catch(() => []);
    const against = doubtedAgainst(price, { before: before?.price ?? null, peers });
    if (against === null) return;
    asked.current = price;
    const others = against === before?.price ? "" : ", as others of this model cost";
    throwIfIssues([
      {
        path: "price",
        message: `${inWords(price)} instead of ${inWords(against)}${others}? If it is right, save again`,
      },
    ]);
  };
};
