import { Text } from "@mantine/core";
import type { Image } from "../../../core/images/image.ts";
import { change, deleteRecord } from "../api/client.ts";
import { ConfirmDialog, FormDialog } from "../forms/dialog.tsx";
import { changedFields, textOrNull, useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { notify } from "../page/notify.tsx";
import { isOwnPhoto, wordsOf } from "./image-words.ts";
import { Picture } from "./picture.tsx";

/** A dialog about one image; open until `onClose` is called. */
interface ImageDialogProps {
  readonly path: string;
  readonly image: Image;
  readonly onClose: () => void;
}

/** Changes what an image shows in words, and the address of one that is only an address. */
export const EditImage = ({ path, image, onClose }: ImageDialogProps) => {
  const { image_url, alt } = image;
  const { values, bind, isChanged } = useDraft({ image_url, alt: alt ?? "" });
  const save = async (): Promise<void> => {
    const typed = { image_url: values.image_url.trim(), alt: textOrNull(values.alt.trim()) };
    const changes = changedFields({ image_url, alt }, typed);
    if (Object.keys(changes).length > 0) {
      await change("PUT", `${path}/${image.id}`, changes);
      notify("The image is saved.");
    }
    onClose();
  };
  return (
    <FormDialog title="Edit this image" submit="Save" isChanged={isChanged} onSubmit={save} onClose={onClose}>
      {!isOwnPhoto(image) && <TextField {...bind("image_url")} label="Address" inputMode="url" required autoFocus />}
      <TextField
        {...bind("alt")}
        label="Alt text"
        description="What it shows, for people who cannot see it"
        autoFocus={isOwnPhoto(image)}
      />
    </FormDialog>
  );
};

/** Asks before an image is deleted. */
export const DeleteImage = ({ path, image, onClose }: ImageDialogProps) => (
  <ConfirmDialog
    title="Delete this image?"
    confirm="Delete"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await deleteRecord(`${path}/${image.id}`);
      notify("The image is deleted.");
    }}
  >
    <Picture image={image} alt="" className="row-picture" />
    <Text size="sm" className="wraps">
      {wordsOf(image)}
    </Text>
  </ConfirmDialog>
);
