import { useState } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { DealerField, useDealerName } from "../choices/dealer-choice.tsx";
import { numberOrText, useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import type { PageProps } from "../page/page.tsx";
import { ChosenPhotos } from "../photos/chosen-photos.tsx";
import { sendPhotosLater } from "../photos/photos-to-send.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { usePriceQuestion } from "./price-question.ts";
import { bodyOfVehicle, draftOfVehicle } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

interface NewVehicleProps {
  /** The dealer of the new vehicle; empty if the form asks for it. */
  readonly dealerId: string;
  readonly breadcrumbs: NonNullable<PageProps["breadcrumbs"]>;
}

const NewVehicle = ({ dealerId, breadcrumbs }: NewVehicleProps) => {
  const draft = useDraft({ ...draftOfVehicle(), dealer_id: dealerId });
  const { dealer_id, ...values } = draft.values;
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const askAboutPrice = usePriceQuestion();
  const add = async (): Promise<Vehicle> => {
    const body = { ...bodyOfVehicle(values), dealer_id: numberOrText(dealer_id) };
    await askAboutPrice(body, null);
    const vehicle = await change<Vehicle>("POST", "/vehicles", body);
    sendPhotosLater(vehicle.id, photos);
    return vehicle;
  };
  return (
    <NewRecordPage
      title="Add a vehicle"
      breadcrumbs={breadcrumbs}
      submit="Add the vehicle"
      draft={{ isChanged: draft.isChanged || photos.length > 0 }}
      create={add}
      pageOf={({ id }) => `/vehicles/${id}`}
      nameOf={titleOf}
    >
      {dealerId === "" && (
        <FieldGroup title="Whose it is">
          <DealerField {...draft.bind("dealer_id")} required />
        </FieldGroup>
      )}
      <VehicleFields draft={draft} dealerId={dealer_id === "" ? null : Number(dealer_id)} isNew />
      <FieldGroup title="Photos" fullWidth={<ChosenPhotos photos={photos} onChange={setPhotos} />} />
    </NewRecordPage>
  );
};

/** Adds a vehicle to a dealer's inventory. */
export const NewVehiclePage = ({ dealerId }: { dealerId: string }) => {
  const dealer = useDealerName(Number(dealerId));
  const breadcrumbs = [
    ["Dealers", "/dealers"],
    [dealer, `/dealers/${dealerId}`],
  ] as const;
  return <NewVehicle dealerId={dealerId} breadcrumbs={breadcrumbs} />;
};

const VEHICLES = ["Vehicles", "/vehicles"] as const;

/** Adds a vehicle to the inventory of a dealer chosen in the form, or of the only visible dealer. */
export const NewVehicleOfAnyPage = () => {
  const own = bindingOf(useSession().user);
  return <NewVehicle dealerId={own === null ? "" : String(own)} breadcrumbs={[VEHICLES]} />;
};
