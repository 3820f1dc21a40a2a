import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useMay } from "../session/session.tsx";
import { Price } from "../settings/amounts.tsx";
import { AmountForm } from "./edit-amount.tsx";
import { LotAge } from "./lot-age.tsx";
import { PriceDifference } from "./price-difference.tsx";
import { SellVehicle } from "./sell-vehicle.tsx";
import { StatusChoice } from "./status-choice.tsx";

/**
 * What people on a lot look for and change most, under the title of a vehicle's page on phones: its price, its days and
 * its status. The facts leave these out there.
 */
export const VehicleGlance = ({ vehicle }: { vehicle: Vehicle }) => {
  const mayChange = useMay()("vehicles:write");
  const [open, setOpen] = useState<"price" | "sale" | null>(null);
  const priceButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && open === null) priceButton.current?.focus();
    wasEditing.current = open === "price";
  }, [open]);
  const close = (): void => setOpen(null);
  return (
    <>
      <section className="glance" aria-label="At a glance">
        <div>
          <span className="main-fact">
            <Price of={vehicle.price} />
          </span>
          <PriceDifference vehicle={vehicle} />
        </div>
        <span>
          <LotAge vehicle={vehicle} />
        </span>
        <StatusChoice vehicle={vehicle} />
        {open === "price" && <AmountForm vehicle={vehicle} field="price" onClose={close} />}
      </section>
      {mayChange && open !== "price" && (
        <Button ref={priceButton} variant="default" onClick={() => setOpen("price")}>
          Edit price
        </Button>
      )}
      {mayChange && vehicle.status !== "sold" && (
        <Button variant="default" onClick={() => setOpen("sale")}>
          Sold…
        </Button>
      )}
      {open === "sale" && <SellVehicle vehicle={vehicle} onClose={close} />}
    </>
  );
};
