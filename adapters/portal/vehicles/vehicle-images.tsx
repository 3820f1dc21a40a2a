import { Text } from "@mantine/core";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { Answered } from "../lists/answered.tsx";
import { useMay } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { Section } from "../shell/section.tsx";
import { ImageRow } from "./image-row.tsx";

const AddImage = ({ path }: { path: string }) => {
  const { values, set, bind, isChanged } = useDraft({ image_url: "" });
  const add = async (): Promise<void> => {
    await change("POST", path, { image_url: values.image_url.trim() });
    set({ image_url: "" });
    sayDone("The image is added.");
  };
  return (
    <Form label="Add an image" submit="Add the image" isChanged={isChanged} onSubmit={add}>
      <TextField {...bind("image_url")} label="Address of the image" inputMode="url" required />
    </Form>
  );
};

/** The images of a vehicle: added by address, ordered, one of them first choice. */
export const VehicleImages = ({ vehicleId, title }: { vehicleId: number; title: string }) => {
  const path = `/vehicles/${vehicleId}/images`;
  const images = useRecord<readonly Image[]>(path);
  const mayWrite = useMay()("vehicles:write");
  const [removed, setRemoved] = useState<Image | null>(null);
  return (
    <Section title="Images">
      <Answered query={images} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">This vehicle has no images.</Text>
          ) : (
            <ol className="images">
              {all.map((image, at) => (
                <ImageRow
                  key={image.id}
                  path={path}
                  images={all}
                  at={at}
                  image={image}
                  title={title}
                  {...(mayWrite && { onDelete: () => setRemoved(image) })}
                />
              ))}
            </ol>
          )
        }
      </Answered>
      {mayWrite && <AddImage path={path} />}
      {removed !== null && (
        <ConfirmDialog
          title="Delete this image?"
          confirm="Delete"
          danger
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await change("DELETE", `${path}/${removed.id}`);
            sayDone("The image is deleted.");
          }}
        >
          <Text size="sm" className="wraps">
            {removed.image_url}
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
};
