import { Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { notify } from "../page/notify.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { Gallery } from "./gallery.tsx";
import { ImageCard } from "./image-card.tsx";
import { DeleteImage, EditImage } from "./image-dialogs.tsx";

interface VehicleImagesProps {
  readonly vehicleId: number;
  readonly title: string;
  /** Focuses the field for a new image, if the user came to add one; called once it has the focus. */
  readonly onFocused: (() => void) | null;
}

const AddImage = ({ path, onFocused }: { path: string } & Pick<VehicleImagesProps, "onFocused">) => {
  const place = useRef<HTMLDivElement>(null);
  const { values, set, bind, isChanged } = useDraft({ image_url: "" });
  const add = async (): Promise<void> => {
    await change("POST", path, { image_url: values.image_url.trim() });
    set({ image_url: "" });
    notify("The image is added.");
  };
  useEffect(() => {
    if (onFocused === null) return;
    place.current?.querySelector("input")?.focus();
    onFocused();
  }, [onFocused]);
  return (
    <div ref={place}>
      <Form label="Add an image" submit="Add the image" isSecondary isChanged={isChanged} onSubmit={add}>
        <TextField {...bind("image_url")} label="Address of the image" inputMode="url" required />
      </Form>
    </div>
  );
};

interface OpenImageDialog {
  readonly dialog: typeof EditImage;
  readonly image: Image;
}

interface ImagesProps {
  readonly path: string;
  readonly images: readonly Image[];
  readonly title: string;
}

const Images = ({ path, images, title }: ImagesProps) => {
  const mayWrite = useMay()("vehicles:write");
  const [openDialog, setOpenDialog] = useState<OpenImageDialog | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  // The primary image is shown first. The shown image stays the same when it moves.
  const placeOf = (isWanted: (image: Image) => boolean): number => images.findIndex(isWanted);
  const shown = Math.max(
    [placeOf(({ id }) => id === chosen), placeOf((image) => image.is_primary)].find((place) => place >= 0) ?? 0,
    0,
  );
  const show = (at: number): void => setChosen(images[at]?.id ?? null);
  return (
    <>
      <Gallery images={images} at={shown} onShow={show} title={title} />
      <ol className="images">
        {images.map((image, at) => (
          <ImageCard
            key={image.id}
            path={path}
            images={images}
            at={at}
            image={image}
            isShown={at === shown}
            onShow={() => show(at)}
            {...(mayWrite && {
              actions: {
                edit: () => setOpenDialog({ dialog: EditImage, image }),
                delete: () => setOpenDialog({ dialog: DeleteImage, image }),
              },
            })}
          />
        ))}
      </ol>
      {openDialog !== null && (
        <openDialog.dialog path={path} image={openDialog.image} onClose={() => setOpenDialog(null)} />
      )}
    </>
  );
};

/** The images of a vehicle, one of them large: users add them by address, sort them, and choose the primary one. */
export const VehicleImages = ({ vehicleId, title, onFocused }: VehicleImagesProps) => {
  const path = `/vehicles/${vehicleId}/images`;
  const images = useRecord<readonly Image[]>(path);
  const mayWrite = useMay()("vehicles:write");
  return (
    <Section title="Images">
      <QueryResult query={images} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">This vehicle has no images.</Text>
          ) : (
            <Images path={path} images={all} title={title} />
          )
        }
      </QueryResult>
      {mayWrite && <AddImage path={path} onFocused={onFocused} />}
    </Section>
  );
};
