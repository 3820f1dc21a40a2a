import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";

/**
 * The field that the address leads to by `?edit=`, and a function that forgets it. The address does so once: what it
 * asked for is taken out of it, so that going back does not ask again.
 */
export const useFieldToEdit = (): readonly [field: string | null, forget: () => void] => {
  const [params, setParams] = useSearchParams();
  const requested = params.get("edit");
  const [field, setField] = useState<string | null>(null);
  useEffect(() => {
    if (requested === null) return;
    setField(requested);
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("edit");
        return after;
      },
      { replace: true },
    );
  }, [requested, setParams]);
  return [field, () => setField(null)];
};
