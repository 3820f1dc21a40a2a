import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { loweredByStep } from "../../../core/bulk/lower-step.ts";
import { doubtedAgainst } from "../../../core/vehicles/price-doubt.ts";
import { formatCount } from "../page/counts.ts";
import { Picture } from "../photos/picture.tsx";
import { priceFormat } from "../settings/amount-formats.ts";
import { daysOnLot } from "../vehicles/days-on-lot.ts";
import { lotAgeOf } from "../vehicles/lot-ages.ts";
import { titleOf } from "../vehicles/vehicle-words.ts";
import { useSwipe } from "./swipe.ts";
import type { Walk } from "./walk.ts";
import type { WalkedVehicle, WalkState } from "./walk-state.ts";

/** The prices of the others of the model on this lot, at most a year apart. */
const peersOf = ({ kept }: WalkState, { id, make, model, year }: WalkedVehicle): readonly number[] =>
  kept.vehicles
    .filter((one) => one.id !== id && one.make === make && one.model === model && Math.abs(one.year - year) <= 1)
    .map(({ price }) => price);

const Days = ({ vehicle }: { vehicle: WalkedVehicle }) => {
  const days = daysOnLot({ ...vehicle, sold_at: null });
  return (
    <span className="walk-days">
      {days !== null && <i className="age-mark" data-age={lotAgeOf(days)} aria-hidden />}
      {days === null ? "Days not known" : formatCount(days, "day")}
    </span>
  );
};

interface CardProps {
  readonly walk: Walk;
  readonly state: WalkState;
  readonly vehicle: WalkedVehicle;
  /** True while the vehicle is read again. */
  readonly isReading: boolean;
}

/** The photo of a camera, read at once: the device may forget its file. */
const photoIn = async (file: File) => ({ name: file.name, type: file.type, bytes: await file.arrayBuffer() });

const TakePhoto = ({ walk, vehicle }: Pick<CardProps, "walk" | "vehicle">) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file !== undefined) void photoIn(file).then((photo) => walk.photo(vehicle, photo));
        }}
      />
      <Button variant="default" size="lg" onClick={() => input.current?.click()}>
        Photo
      </Button>
    </>
  );
};

/** The card of one vehicle, with what can be done to it. */
export const WalkCard = ({ walk, state, vehicle, isReading }: CardProps) => {
  const { currency, mayChange, steps } = state.kept;
  const price = priceFormat(currency);
  const lowered = loweredByStep(vehicle.price);
  const mayLower = mayChange && lowered > 0 && lowered < vehicle.price;
  // The vehicle whose price was asked about.
  const [asked, setAsked] = useState<number | null>(null);
  const against = doubtedAgainst(lowered, { before: vehicle.price, peers: peersOf(state, vehicle) });
  const isAsked = asked === vehicle.id;
  const lower = (): void => {
    if (against !== null && !isAsked) setAsked(vehicle.id);
    else void walk.lower(vehicle, lowered);
  };
  const hold = (): void => void walk.hold(vehicle);
  const swipe = useSwipe({ onLeft: mayLower && !isReading ? lower : null, onRight: hold });
  const photos = steps.filter((step) => step.kind === "photo" && step.vehicleId === vehicle.id).length;
  return (
    <>
      <article className="walk-card" aria-label={titleOf(vehicle)} {...swipe}>
        <Picture image={vehicle.image ?? undefined} alt="" variant="medium" className="walk-picture" />
        <div className="walk-facts">
          <h2>{titleOf(vehicle)}</h2>
          <p className="numeric">
            <b>{price(vehicle.price)}</b>
            <Days vehicle={vehicle} />
          </p>
          <p className="walk-note">
            {vehicle.stock_number ?? "No stock number"}
            {vehicle.status === "pending" && " · pending"}
            {photos > 0 && ` · ${formatCount(photos, "photo")} taken`}
          </p>
        </div>
      </article>
      {isAsked && against !== null && (
        <p role="alert" className="walk-question">
          {price(lowered)} instead of {price(against)}, as others of this model cost? If it is right, press −2 % again.
        </p>
      )}
      <div className="walk-buttons">
        {mayLower && (
          <Button size="lg" onClick={lower} disabled={isReading}>
            −2 % <span className="walk-after">{price(lowered)}</span>
          </Button>
        )}
        <Button variant="default" size="lg" onClick={hold}>
          Hold
        </Button>
        {mayChange && <TakePhoto walk={walk} vehicle={vehicle} />}
      </div>
    </>
  );
};
