import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Advice } from "../../../core/advice/advice.ts";
import { daysAtPrice } from "../../../core/advice/estimate.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { formatCount } from "../page/figures.tsx";
import { notifyFailure } from "../page/notify.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { ScheduleDialog } from "../scheduled-changes/schedule-dialog.tsx";
import { Price, useAmountFormats } from "../settings/amounts.tsx";
import { CalendarDate } from "../times/times.tsx";
import { daysInWords, firstOffer, nearestOffer, rangeAbout, salesOfWhat } from "./advice-words.ts";
import { SalesChart } from "./sales-chart.tsx";

const TITLE = "What would sell it";

interface AdviceProps {
  readonly vehicle: Vehicle;
  /** What the vehicle is called. */
  readonly name: string;
  readonly advice: Advice;
}

/** How long vehicles took at a price, and at the vehicle's own. */
const Sentence = ({ advice, wanted }: { readonly advice: Advice; readonly wanted: number }) => {
  const { price } = useAmountFormats();
  const then = daysAtPrice(advice.sales, wanted);
  const { at_present: now } = advice;
  return (
    <p className="advice-words" role="status">
      {then === null ? (
        <>
          Too few were sold about <strong>{price(wanted)}</strong> to say how long that takes
        </>
      ) : (
        <>
          Cars like this at <strong>{price(wanted)}</strong> went in <strong>{daysInWords(then)}</strong>
        </>
      )}
      ; at today's price {now === null ? "too few were sold" : <>in {daysInWords(now)}</>}.
    </p>
  );
};

const SalesTable = ({ advice }: { readonly advice: Advice }) => (
  <details>
    <summary>Sales as a table</summary>
    <RecordTable
      caption="Sales"
      rows={advice.sales}
      keyOf={({ vehicle_id }) => vehicle_id}
      columns={[
        { head: "Sold", cell: ({ sold_at }) => <CalendarDate at={sold_at} /> },
        { head: "Year", numeric: true, cell: ({ year }) => year },
        { head: "Price", numeric: true, cell: ({ price }) => <Price of={price} /> },
        { head: "Days", numeric: true, cell: ({ days }) => days },
      ]}
    />
  </details>
);

const AdviceView = ({ vehicle, name, advice }: AdviceProps) => {
  const { price } = useAmountFormats();
  const slider = useId();
  // What somebody has chosen stays chosen when the page reads the vehicle again.
  const [chosen, setChosen] = useState<number | null>(null);
  const wanted = chosen === null ? firstOffer(vehicle.price) : nearestOffer(vehicle.price, chosen);
  const [isScheduling, setScheduling] = useState(false);
  const notifyWithUndo = useNotifyWithUndo();
  const setting = useMutation({
    mutationFn: ({ to }: { readonly from: number; readonly to: number }) =>
      change<Vehicle & { readonly change_id?: string }>("PUT", `/vehicles/${vehicle.id}`, { price: to }),
    onSuccess: ({ change_id }, { from, to }) =>
      notifyWithUndo(`${name} costs ${price(to)}.`, {
        changes: [change_id],
        undone: `${name} costs ${price(from)} again.`,
      }),
    onError: (error) => notifyFailure(error),
  });
  const { low, high, step } = rangeAbout(vehicle.price);
  return (
    <>
      <Text size="sm" c="dimmed">
        Your last {formatCount(advice.sales.length, "sale")} of {salesOfWhat(advice, vehicle)}: price against days to
        sell
      </Text>
      <SalesChart sales={advice.sales} price={vehicle.price} days={advice.days_on_lot} wanted={wanted} />
      <div>
        <label htmlFor={slider} className="advice-label">
          Price <strong>{price(wanted)}</strong>
        </label>
        <input
          id={slider}
          className="advice-slider"
          type="range"
          min={low}
          max={high}
          step={step}
          value={wanted}
          aria-valuetext={price(wanted)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        />
      </div>
      <Sentence advice={advice} wanted={wanted} />
      <Text size="xs" c="dimmed">
        From your own sales only. With fewer than five it says so and gives no advice.
      </Text>
      <Group gap="xs">
        <Button
          loading={setting.isPending}
          disabled={wanted === vehicle.price}
          onClick={() => setting.mutate({ from: vehicle.price, to: wanted })}
        >
          Set this price
        </Button>
        <Button variant="default" onClick={() => setScheduling(true)}>
          Do it on Friday
        </Button>
      </Group>
      <SalesTable advice={advice} />
      {isScheduling && (
        <ScheduleDialog vehicle={vehicle} name={name} price={wanted} onClose={() => setScheduling(false)} />
      )}
    </>
  );
};

/** How long similar vehicles took at other prices, and what can be done about the price. */
export const AdviceSection = ({ vehicle, name }: { vehicle: Vehicle; name: string }) => (
  <Section title={TITLE}>
    <QueryResult query={useRecord<Advice>(`/vehicles/${vehicle.id}/advice`)} lines={3}>
      {(advice) =>
        advice.enough ? (
          <AdviceView key={vehicle.id} vehicle={vehicle} name={name} advice={advice} />
        ) : (
          <Text size="sm">
            Only {formatCount(advice.sales.length, "sale")} of {vehicle.model}, no advice. It takes five.
          </Text>
        )
      }
    </QueryResult>
  </Section>
);
