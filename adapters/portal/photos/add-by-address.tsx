import { Button } from "@mantine/core";
import { useState } from "react";
import { change } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { notify } from "../page/notify.tsx";

const AddressDialog = ({ path, onClose }: { path: string; onClose: () => void }) => {
  const { values, bind, isChanged } = useDraft({ image_url: "" });
  const add = async (): Promise<void> => {
    await change("POST", path, { image_url: values.image_url.trim() });
    notify("The image is added.");
    onClose();
  };
  return (
    <FormDialog
      title="Add an image by its address"
      submit="Add the image"
      isChanged={isChanged}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField {...bind("image_url")} label="Address of the image" inputMode="url" required autoFocus />
    </FormDialog>
  );
};

/** The button that adds an image that is held elsewhere, and its form. */
export const AddByAddress = ({ path }: { path: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Add by address
      </Button>
      {isOpen && <AddressDialog path={path} onClose={() => setOpen(false)} />}
    </>
  );
};
