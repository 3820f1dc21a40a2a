import { type ComponentType, useState } from "react";

/** A dialog about one record; open until `onClose` is called. */
export interface RecordDialogProps<Item> {
  readonly record: Item;
  readonly onClose: () => void;
}

/** The dialogs of a record, at most one of them open: `open` opens one, `dialog` renders it. */
export const useRecordDialogs = <Name extends string, Item>(
  dialogs: Readonly<Record<Name, ComponentType<RecordDialogProps<Item>>>>,
  record: Item,
) => {
  const [name, open] = useState<Name | null>(null);
  const OpenDialog: ComponentType<RecordDialogProps<Item>> | null = name === null ? null : dialogs[name];
  return { open, dialog: OpenDialog !== null && <OpenDialog record={record} onClose={() => open(null)} /> };
};
