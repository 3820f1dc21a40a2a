import { Text, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import type { CrossedVehicle, Today } from "../../../core/today/today.ts";
import { formatNumber } from "../page/counts.ts";
import { Section } from "../page/section.tsx";
import { Picture } from "../photos/picture.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { titleOf, titleWithStockNumber } from "../vehicles/vehicle-words.ts";
import { useLowerPrice } from "./lower-price.ts";

const imageOf = ({ image_url, variants }: CrossedVehicle) =>
  image_url === null ? undefined : { image_url, ...(variants !== null && { variants }) };

const Tile = ({ dealerId, vehicle }: { dealerId: number; vehicle: CrossedVehicle }) => {
  const { price } = useAmountFormats();
  const mayChange = useMay()("vehicles:write");
  const lowering = useLowerPrice(dealerId);
  const { id, stock_number, line, image_url } = vehicle;
  const name = titleWithStockNumber(vehicle);
  const facts = [price(vehicle.price), image_url === null ? "no photo" : (stock_number ?? "no stock number")];
  return (
    <li className="tile">
      <div className="tile-photo">
        <Picture image={imageOf(vehicle)} alt="" variant="medium" className="tile-picture" />
        <span className="tile-line">{line} days</span>
      </div>
      <p className="tile-name">{titleOf(vehicle)}</p>
      <p className="tile-facts">{facts.join(" · ")}</p>
      <div className="tile-actions">
        {mayChange && vehicle.price > 0 && (
          <UnstyledButton
            className="tile-action"
            aria-label={`Lower the price of ${name} by 3 percent`}
            // It keeps the focus meanwhile, which a disabled button would lose.
            aria-disabled={lowering.isPending}
            onClick={() => lowering.isPending || lowering.mutate(vehicle)}
          >
            −3 %
          </UnstyledButton>
        )}
        <Link href={`/vehicles/${id}`} className="tile-action" aria-label={`Look at ${name}`}>
          Look
        </Link>
      </div>
    </li>
  );
};

/** The vehicles that have just been on the lot for 45, 60 or 90 days. */
export const CrossedTiles = ({
  dealer_id: dealerId,
  crossed: { total, vehicles },
}: Pick<Today, "dealer_id" | "crossed">) => (
  <Section
    title="Crossed a line lately"
    actions={
      total > 0 && (
        <span className="section-note">
          {formatNumber(vehicles.length)} of {formatNumber(total)}
        </span>
      )
    }
  >
    {total === 0 ? (
      <Text size="sm">No vehicle reached 45, 60 or 90 days on the lot in the last three days.</Text>
    ) : (
      <ul className="tiles">
        {vehicles.map((vehicle) => (
          <Tile key={vehicle.id} dealerId={dealerId} vehicle={vehicle} />
        ))}
      </ul>
    )}
  </Section>
);
