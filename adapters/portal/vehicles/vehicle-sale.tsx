import { Button, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Sale } from "../../../core/history/sale.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change, read } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { numberOrText, numberText, textOrNull, useDraft } from "../forms/draft.ts";
import { LongTextField, TextField } from "../forms/fields.tsx";
import { Facts } from "../page/facts.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { Price } from "../settings/amounts.tsx";
import { dateOf, timestampOfDate } from "../times/dates.ts";
import { CalendarDate } from "../times/times.tsx";

const pathOf = ({ id }: Vehicle): string => `/vehicles/${id}/sale`;
const keyOf = (vehicle: Vehicle) => [pathOf(vehicle), vehicle.updated_at] as const;

const EditSale = ({ vehicle, sale, onClose }: { vehicle: Vehicle; sale: Sale; onClose: () => void }) => {
  const client = useQueryClient();
  const notifyWithUndo = useNotifyWithUndo();
  const { values, bind, isChanged } = useDraft({
    sold_price: numberText(sale.sold_price),
    sold_at: dateOf(sale.sold_at),
    note: sale.note ?? "",
  });
  const save = async (): Promise<void> => {
    const saved = await change<Sale>("PUT", pathOf(vehicle), {
      sold_price: numberOrText(values.sold_price),
      sold_at: timestampOfDate(values.sold_at, sale.sold_at),
      note: textOrNull(values.note),
    });
    const { change_id, ...known } = saved;
    client.setQueryData(keyOf(vehicle), known);
    notifyWithUndo("The sale is saved.", { changes: [change_id], undone: "The sale is as it was." });
    onClose();
  };
  return (
    <FormDialog title="Edit the sale" submit="Save" isChanged={isChanged} onSubmit={save} onClose={onClose}>
      <TextField {...bind("sold_price")} label="Sold for" inputMode="decimal" />
      <TextField {...bind("sold_at")} label="Sold on" type="date" />
      <LongTextField
        {...bind("note")}
        label="Note"
        description="Up to 1,000 characters. Only who may change vehicles reads it."
      />
    </FormDialog>
  );
};

/** The sale price of a sold vehicle, for users who may change vehicles. */
export const VehicleSale = ({ vehicle }: { vehicle: Vehicle }) => {
  // Not read again after every change: once the vehicle is no longer sold, the sale does not exist.
  const sale = useQuery({
    queryKey: keyOf(vehicle),
    queryFn: ({ signal }) => read<Sale>(pathOf(vehicle), {}, signal),
    staleTime: "static",
  });
  const [isEditing, setEditing] = useState(false);
  return (
    <Section
      title="Sale"
      actions={
        sale.data !== undefined && (
          <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
            Edit the sale
          </Button>
        )
      }
    >
      <QueryResult query={sale} lines={1}>
        {(known) => (
          <>
            <Facts
              facts={[
                ["Sold for", known.sold_price === null ? "Not yet" : <Price key="price" of={known.sold_price} />],
                ["Sold on", known.sold_at === null ? "Not known" : <CalendarDate key="day" at={known.sold_at} />],
              ]}
            />
            {known.note !== null && (
              <Text size="sm" className="long-text">
                {known.note}
              </Text>
            )}
            {isEditing && <EditSale vehicle={vehicle} sale={known} onClose={() => setEditing(false)} />}
          </>
        )}
      </QueryResult>
    </Section>
  );
};
