import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";

/**
 * The field that `?edit=` in the address names, and a function that forgets it. The parameter is removed once it is
 * read, so that going back does not open the form again.
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
