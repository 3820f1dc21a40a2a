import { useLocation } from "wouter";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useDealerName } from "../dealers/dealer-choice.tsx";
import { useDraft } from "../forms/draft.ts";
import { sayDone } from "../shell/done.ts";
import { FormPage } from "../shell/form-page.tsx";
import { bodyOfVehicle, draftOfVehicle } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

/** Adds a vehicle to a dealer's inventory. */
export const NewVehiclePage = ({ dealerId }: { dealerId: string }) => {
  const [, go] = useLocation();
  const dealer = useDealerName(Number(dealerId));
  const draft = useDraft(draftOfVehicle());
  const add = async (): Promise<void> => {
    const body = { dealer_id: Number(dealerId), ...bodyOfVehicle(draft.values) };
    const vehicle = await change<Vehicle>("POST", "/vehicles", body);
    sayDone(`${titleOf(vehicle)} is added.`);
    go(`/vehicles/${vehicle.id}`);
  };
  const dealerPage = `/dealers/${dealerId}`;
  return (
    <FormPage
      title="Add a vehicle"
      trail={[
        ["Dealers", "/dealers"],
        [dealer, dealerPage],
      ]}
      submit="Add the vehicle"
      cancel={dealerPage}
      isChanged={draft.isChanged}
      onSubmit={add}
    >
      <VehicleFields draft={draft} dealerId={Number(dealerId)} />
    </FormPage>
  );
};
