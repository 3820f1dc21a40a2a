import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { ApiError, change, read } from "../api/client.ts";
import { recordKey } from "../api/queries.ts";

/** The ids in order after one of them has moved to another place. */
export const idsAfterMove = (ids: readonly number[], id: number, to: number): readonly number[] => {
  const others = ids.filter((one) => one !== id);
  others.splice(Math.max(0, Math.min(to, others.length)), 0, id);
  return others;
};

/** Those of the ids that are there, and behind them what is there besides. */
const idsOf = (ids: readonly number[], images: readonly Image[]): readonly number[] => {
  const there = images.map(({ id }) => id);
  return [...ids.filter((id) => there.includes(id)), ...there.filter((id) => !ids.includes(id))];
};

const saveOrder = async (path: string, ids: readonly number[]): Promise<readonly Image[]> => {
  const save = (image_ids: readonly number[]) => change<readonly Image[]>("PUT", path, { image_ids });
  try {
    return await save(ids);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 400)) throw error;
    // Images were added or removed since the page read them.
    return save(idsOf(ids, await read<readonly Image[]>(path)));
  }
};

/** The images in the order that the user wants, also while it is being saved, and a function that changes it. */
export const useOrder = (path: string, images: readonly Image[]) => {
  const client = useQueryClient();
  const [wanted, setWanted] = useState<readonly number[] | null>(null);
  const saving = useMutation({
    // One after the other.
    scope: { id: `order of ${path}` },
    mutationFn: (ids: readonly number[]) => saveOrder(path, ids),
    onSuccess: (saved) => client.setQueryData(recordKey(path), saved),
  });
  const byId = new Map(images.map((image) => [image.id, image]));
  const ordered = wanted === null ? images : idsOf(wanted, images).flatMap((id) => byId.get(id) ?? []);
  return {
    ordered,
    error: saving.error,
    reorder(ids: readonly number[]): void {
      setWanted(ids);
      // It is called for the last change only.
      saving.mutate(ids, { onSettled: () => setWanted(null) });
    },
  };
};
