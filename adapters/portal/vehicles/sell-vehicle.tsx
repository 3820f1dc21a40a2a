import { Button, SimpleGrid, Text } from "@mantine/core";
import { useRef } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { numberOrText, numberText, useDraft } from "../forms/draft.ts";
import { LongTextField, TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { useAmountFormats } from "../settings/amounts.tsx";
import { dateInDays, timestampOfDate } from "../times/dates.ts";
import { onLotInWords } from "./days-on-lot.ts";
import { useStatusChange } from "./status-change.ts";
import { titleOf, titleWithStockNumber } from "./vehicle-words.ts";

/**
 * Asks what a vehicle is sold for, and marks it as sold. The list price is offered and selected; it counts only if it is
 * sent. *Price later* leaves the price open.
 */
export const SellVehicle = ({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) => {
  const { price } = useAmountFormats();
  const today = dateInDays(0);
  const { values, bind, isChanged } = useDraft({ sold_price: numberText(vehicle.price), sold_at: today, note: "" });
  const isPriceLater = useRef(false);
  const changeStatus = useStatusChange(vehicle);
  const sell = async (): Promise<void> => {
    const isLater = isPriceLater.current;
    isPriceLater.current = false;
    const entered = isLater ? null : numberOrText(values.sold_price);
    throwIfIssues(
      isLater || entered !== null
        ? []
        : [{ path: "sold_price", message: "must be a number; choose Price later to leave it open" }],
    );
    const soldAt = values.sold_at === today ? null : timestampOfDate(values.sold_at, null);
    const title = titleOf(vehicle);
    const sentence =
      typeof entered === "number"
        ? `${title} is sold for ${price(entered)}.`
        : `${title} is sold, without a price yet.`;
    await changeStatus("sold", sentence, {
      ...(entered !== null && { sold_price: entered }),
      ...(soldAt !== null && { sold_at: soldAt }),
      ...(values.note !== "" && { note: values.note }),
    });
    onClose();
  };
  return (
    <FormDialog
      title="Mark as sold"
      submit="Mark sold"
      isChanged={isChanged}
      onSubmit={sell}
      onClose={onClose}
      otherAction={
        <Button type="submit" variant="default" onClick={() => (isPriceLater.current = true)}>
          Price later
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {titleWithStockNumber(vehicle)}, on the lot {onLotInWords(vehicle)}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField
          {...bind("sold_price")}
          label="Sold for"
          description={`List price ${price(vehicle.price)}`}
          inputMode="decimal"
          autoFocus
          isSelected
        />
        <TextField {...bind("sold_at")} label="Sold on" description="The day of the sale" type="date" />
      </SimpleGrid>
      <LongTextField {...bind("note")} label="Note" description="Only people who change vehicles see this." />
    </FormDialog>
  );
};
