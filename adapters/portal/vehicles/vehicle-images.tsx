import { Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { Answered } from "../lists/answered.tsx";
import { useMay } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { Section } from "../shell/section.tsx";
import { Gallery } from "./gallery.tsx";
import { ImageCard } from "./image-card.tsx";
import { DeleteImage, EditImage } from "./image-dialogs.tsx";

interface VehicleImagesProps {
  readonly vehicleId: number;
  readonly title: string;
  /** Who came to add an image has the focus at its field; called when they have it. */
  readonly onLed: (() => void) | null;
}

const AddImage = ({ path, onLed }: { path: string } & Pick<VehicleImagesProps, "onLed">) => {
  const place = useRef<HTMLDivElement>(null);
  const { values, set, bind, isChanged } = useDraft({ image_url: "" });
  const add = async (): Promise<void> => {
    await change("POST", path, { image_url: values.image_url.trim() });
    set({ image_url: "" });
    sayDone("The image is added.");
  };
  useEffect(() => {
    if (onLed === null) return;
    place.current?.querySelector("input")?.focus();
    onLed();
  }, [onLed]);
  return (
    <div ref={place}>
      <Form label="Add an image" submit="Add the image" minor isChanged={isChanged} onSubmit={add}>
        <TextField {...bind("image_url")} label="Address of the image" inputMode="url" required />
      </Form>
    </div>
  );
};

interface Asked {
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
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  // The primary one is first, until another is chosen; it stays shown when it moves.
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
              asks: {
                edit: () => setAsked({ dialog: EditImage, image }),
                delete: () => setAsked({ dialog: DeleteImage, image }),
              },
            })}
          />
        ))}
      </ol>
      {asked !== null && <asked.dialog path={path} image={asked.image} onClose={() => setAsked(null)} />}
    </>
  );
};

/** The images of a vehicle: one large, the others below it; added by address, ordered, one of them first choice. */
export const VehicleImages = ({ vehicleId, title, onLed }: VehicleImagesProps) => {
  const path = `/vehicles/${vehicleId}/images`;
  const images = useRecord<readonly Image[]>(path);
  const mayWrite = useMay()("vehicles:write");
  return (
    <Section title="Images">
      <Answered query={images} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">This vehicle has no images.</Text>
          ) : (
            <Images path={path} images={all} title={title} />
          )
        }
      </Answered>
      {mayWrite && <AddImage path={path} onLed={onLed} />}
    </Section>
  );
};
