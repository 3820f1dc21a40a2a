import { Button, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { ApiError } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { useIsNarrow } from "../page/narrow.ts";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { AddByAddress } from "./add-by-address.tsx";
import { useDragToOrder } from "./drag-to-order.ts";
import { Gallery } from "./gallery.tsx";
import { ImageCard } from "./image-card.tsx";
import { DeleteImage, EditImage } from "./image-dialogs.tsx";
import { idsAfterMove, useOrder } from "./photo-order.ts";
import { takePhotosToSend } from "./photos-to-send.ts";
import { Uploads } from "./uploads.tsx";

interface OpenImageDialog {
  readonly dialog: typeof EditImage;
  readonly image: Image;
}

interface ImagesProps {
  readonly path: string;
  readonly images: readonly Image[];
  readonly title: string;
  /** True if each has the buttons that change it. */
  readonly hasTools: boolean;
}

/** The images in their order, which dragging, arrow keys and buttons change, and what screen readers are told of it. */
const useOrderedImages = ({ path, images }: Pick<ImagesProps, "path" | "images">) => {
  const { ordered, reorder, error } = useOrder(path, images);
  const [announcement, setAnnouncement] = useState("");
  const ids = ordered.map(({ id }) => id);
  const order = (id: number, after: readonly number[]): void => {
    setAnnouncement(`The image is now at place ${after.indexOf(id) + 1} of ${after.length}.`);
    reorder(after);
  };
  const drag = useDragToOrder(ids, order);
  const byId = new Map(ordered.map((image) => [image.id, image]));
  return {
    shown: drag.shownIds.flatMap((id) => byId.get(id) ?? []),
    drag,
    announcement,
    error,
    moveTo: (id: number, place: number): void => order(id, idsAfterMove(ids, id, place)),
  };
};

const Images = ({ path, images, title, hasTools }: ImagesProps) => {
  const [openDialog, setOpenDialog] = useState<OpenImageDialog | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { shown: ordered, drag, announcement, error, moveTo } = useOrderedImages({ path, images });
  // The primary image is shown first. The shown image stays the same when it moves.
  const placeOf = (isWanted: (image: Image) => boolean): number => ordered.findIndex(isWanted);
  const shown = Math.max(
    [placeOf(({ id }) => id === chosen), placeOf((image) => image.is_primary)].find((place) => place >= 0) ?? 0,
    0,
  );
  const show = (at: number): void => setChosen(ordered[at]?.id ?? null);
  return (
    <>
      <Gallery images={ordered} at={shown} onShow={show} title={title} />
      <ol className="images" {...(drag.dragged !== null && { "data-dragging": true })}>
        {ordered.map((image, at) => (
          <ImageCard
            key={image.id}
            path={path}
            image={image}
            at={at}
            count={ordered.length}
            isShown={at === shown}
            isDragged={image.id === drag.dragged}
            onShow={() => !drag.endsDrag() && show(at)}
            {...(hasTools && {
              actions: {
                edit: () => setOpenDialog({ dialog: EditImage, image }),
                delete: () => setOpenDialog({ dialog: DeleteImage, image }),
                moveTo: (place) => moveTo(image.id, place),
                startDrag: (event) => drag.start(image.id, event),
              },
            })}
          />
        ))}
      </ol>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {error instanceof ApiError ? error.sentence : "Something went wrong in this page. Try again."}
        </Text>
      )}
      {openDialog !== null && (
        <openDialog.dialog path={path} image={openDialog.image} onClose={() => setOpenDialog(null)} />
      )}
    </>
  );
};

interface VehiclePhotosProps {
  readonly vehicleId: number;
  readonly title: string;
  /** Focuses what adds photos, if the user came to add one; called once it has the focus. */
  readonly onFocused: (() => void) | null;
}

/** The images of a vehicle, one of them large: users add many at once, sort them, and choose the primary one. */
const VehiclePhotos = ({ vehicleId, title, onFocused }: VehiclePhotosProps) => {
  const path = `/vehicles/${vehicleId}/images`;
  const images = useRecord<readonly Image[]>(path);
  const mayWrite = useMay()("vehicles:write");
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(onFocused !== null);
  const hasTools = mayWrite && (isOpen || !isNarrow);
  return (
    <Section
      title="Images"
      actions={
        mayWrite &&
        isNarrow && (
          <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Done" : "Add and sort"}
          </Button>
        )
      }
    >
      <QueryResult query={images} lines={2}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <Text size="sm">This vehicle has no images.</Text>
            ) : (
              <Images path={path} images={all} title={title} hasTools={hasTools} />
            )}
            {mayWrite && (
              <Uploads
                path={path}
                images={all}
                chosenBefore={() => takePhotosToSend(vehicleId)}
                onFocused={onFocused}
                hasButtons={hasTools}
              >
                <AddByAddress path={path} />
              </Uploads>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
};

export default VehiclePhotos;
