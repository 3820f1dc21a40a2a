import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BulkAnswer } from "../../../core/bulk/bulk.ts";
import { priceAfter } from "../../../core/bulk/new-price.ts";
import type { CrossedVehicle } from "../../../core/today/today.ts";
import { ApiError, change } from "../api/client.ts";
import { refetchAll } from "../api/queries.ts";
import { issueMessage } from "../forms/issue-messages.ts";
import { notifyFailure } from "../page/notify.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { useAmountFormats } from "../settings/amounts.tsx";
import { titleOf } from "../vehicles/vehicle-words.ts";
import { todayPath } from "./today-words.ts";

/** The change of the price with one press. */
const LOWER = { percent: -3 } as const;

const refusal = (sentence: string): ApiError => new ApiError({ status: 409, code: "not_changed", sentence });

/** Why the price was not changed; `null` if it was. */
const whyNot = (result: BulkAnswer["results"][number] | undefined): string | null => {
  if (result === undefined || result.outcome === "not_found") return "It is no longer there.";
  const [issue] = result.issues;
  if (issue === undefined) return null;
  return issue.path === "versions"
    ? "Somebody changed it meanwhile. This is how it is now: try again."
    : issueMessage(issue, { label: "Price" });
};

/** Lowers the price of a vehicle by 3 % at once, with *Undo*, unless somebody changed the vehicle meanwhile. */
export const useLowerPrice = (dealerId: number) => {
  const client = useQueryClient();
  const { price } = useAmountFormats();
  const notifyWithUndo = useNotifyWithUndo();
  return useMutation({
    mutationFn: async ({ id, updated_at }: CrossedVehicle) => {
      const { results, change_id } = await change<BulkAnswer>("POST", "/vehicles/bulk", {
        ids: [id],
        versions: [updated_at],
        changes: { price: LOWER },
      });
      const reason = whyNot(results.find((one) => one.id === id));
      if (reason !== null) throw refusal(reason);
      return change_id;
    },
    onSuccess: (made, vehicle) => {
      notifyWithUndo(
        `${titleOf(vehicle)} is ${price(priceAfter(vehicle.price, LOWER))} now, from ${price(vehicle.price)}.`,
        { changes: [made ?? undefined], undone: `It is ${price(vehicle.price)} again.` },
      );
      // The next press needs the vehicle's new version, which is being read.
      return client.refetchQueries({ queryKey: [todayPath(dealerId)] }, { cancelRefetch: false });
    },
    onError: (error) => {
      notifyFailure(error);
      void refetchAll(client);
    },
  });
};
