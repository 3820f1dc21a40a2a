import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { notify } from "../page/notify.tsx";
import type { PageProps } from "../page/page.tsx";
import type { useDraft } from "./draft.ts";
import { FormPage } from "./form-page.tsx";

interface NewRecordPageProps<Made> {
  readonly title: string;
  readonly submit: string;
  /** The pages above this one; Cancel opens the last of them. */
  readonly breadcrumbs: NonNullable<PageProps["breadcrumbs"]>;
  readonly draft: Pick<ReturnType<typeof useDraft>, "isChanged">;
  /** Sends the new record. */
  readonly create: () => Promise<Made>;
  /** The page of the new record, which opens then. */
  readonly pageOf: (made: Made) => string;
  /** What is shown once before that page opens, such as a secret; by default a notice says that the record is added. */
  readonly showOnce?: (made: Made, onClose: () => void) => ReactNode;
  /** The new record's name in that notice. */
  readonly nameOf?: (made: Made) => string;
  readonly children: ReactNode;
}

/** A page that adds a record, then opens the record's own. */
export const NewRecordPage = <Made extends object>({
  breadcrumbs,
  draft,
  create,
  pageOf,
  showOnce,
  nameOf = (made) => ("name" in made ? String(made.name) : ""),
  ...page
}: NewRecordPageProps<Made>) => {
  const [, go] = useLocation();
  const [shown, setShown] = useState<Made | null>(null);
  const submit = async (): Promise<void> => {
    const made = await create();
    if (showOnce !== undefined) return setShown(made);
    notify(`${nameOf(made)} is added.`);
    go(pageOf(made));
  };
  return (
    <FormPage
      {...page}
      breadcrumbs={breadcrumbs}
      cancelTo={breadcrumbs.at(-1)?.[1] ?? "/"}
      isChanged={draft.isChanged && shown === null}
      onSubmit={submit}
      dialogs={shown !== null && showOnce?.(shown, () => go(pageOf(shown)))}
    />
  );
};
