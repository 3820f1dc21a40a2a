import { useLocation } from "wouter";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { useDraft } from "../forms/draft.ts";
import { Form } from "../forms/form.tsx";
import { sayDone } from "../shell/done.ts";
import { LinkButton } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { bodyOfVehicle, draftOfVehicle } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

/** Adds a vehicle to a dealer's inventory. */
export const NewVehiclePage = ({ dealerId }: { dealerId: string }) => {
  const [, go] = useLocation();
  const draft = useDraft(draftOfVehicle());
  const add = async (): Promise<void> => {
    const body = { dealer_id: Number(dealerId), ...bodyOfVehicle(draft.values) };
    const vehicle = await change<Vehicle>("POST", "/vehicles", body);
    sayDone(`${titleOf(vehicle)} is added.`);
    go(`/vehicles/${vehicle.id}`);
  };
  return (
    <Page title="Add a vehicle">
      <Section title="The vehicle" actions={<DealerLink id={Number(dealerId)} />}>
        <Form
          label="Add a vehicle"
          submit="Add the vehicle"
          isChanged={draft.isChanged}
          onSubmit={add}
          beside={
            <LinkButton to={`/dealers/${dealerId}`} variant="default">
              Cancel
            </LinkButton>
          }
        >
          <VehicleFields draft={draft} dealerId={Number(dealerId)} />
        </Form>
      </Section>
    </Page>
  );
};
