import { Text } from "@mantine/core";
import type { Image } from "../../../core/images/image.ts";
import { change, deleteRecord } from "../api/client.ts";
import { ConfirmDialog, FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { notify } from "../page/notify.tsx";

/** A dialog about one image; open until `onClose` is called. */
interface ImageDialogProps {
  readonly path: string;
  readonly image: Image;
  readonly onClose: () => void;
}

/** Changes the address of an image. */
export const EditImage = ({ path, image, onClose }: ImageDialogProps) => {
  const { values, bind, isChanged } = useDraft({ image_url: image.image_url });
  const save = async (): Promise<void> => {
    if (isChanged) {
      await change("PUT", `${path}/${image.id}`, { image_url: values.image_url.trim() });
      notify("The image is saved.");
    }
    onClose();
  };
  return (
    <FormDialog title="Edit this image" submit="Save" isChanged={isChanged} onSubmit={save} onClose={onClose}>
      <TextField {...bind("image_url")} label="Address" inputMode="url" required autoFocus />
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
    <Text size="sm" className="wraps">
      {image.image_url}
    </Text>
  </ConfirmDialog>
);
