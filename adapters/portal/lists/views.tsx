import { Button, Menu } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconBookmark } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { useSession } from "../session/session.tsx";

/** A view of a list with the name that a user gave it. */
interface View {
  readonly name: string;
  /** The filters, order and page size, as in the address. */
  readonly search: string;
}

/** The search part of a view: every parameter but the page, sorted so that equal views give equal text. */
const viewSearch = (params: URLSearchParams): string => {
  const kept = new URLSearchParams([...params].filter(([name]) => name !== "page"));
  kept.sort();
  return kept.toString();
};

/** The views of a list that the signed-in user saved in this browser; other users do not see them. */
const useViews = (noun: string) => {
  const { user } = useSession();
  return useLocalStorage<readonly View[]>({
    key: `portal-views-${user.id}-${noun}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
};

const MAX_NAME_LENGTH = 60;

interface SaveViewProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

const SaveView = ({ onSave, onClose }: SaveViewProps) => {
  const { values, bind, isChanged } = useDraft({ name: "" });
  const save = async (): Promise<void> => {
    const name = values.name.trim();
    const isValid = name !== "" && name.length <= MAX_NAME_LENGTH;
    throwIfIssues(isValid ? [] : [{ path: "name", message: `must be text of 1 to ${MAX_NAME_LENGTH} characters` }]);
    onSave(name);
    notify(`The view ${name} is saved.`);
    onClose();
  };
  return (
    <FormDialog title="Save this view" submit="Save" isChanged={isChanged} onSubmit={save} onClose={onClose}>
      <TextField
        {...bind("name")}
        label="Name"
        description="Only you see it, in this browser. A view that has this name already is replaced."
        required
        autoFocus
      />
    </FormDialog>
  );
};

/** Links to the views of a list that the user saved. Saves the current view, or forgets it if it is saved. */
export const Views = ({ noun }: { noun: string }) => {
  const [views, setViews] = useViews(noun);
  const [path] = useLocation();
  const [params] = useSearchParams();
  const [isSaving, setSaving] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const currentSearch = viewSearch(params);
  const current = views.find(({ search }) => search === currentSearch);
  const withoutView = (name: string): readonly View[] => views.filter((view) => view.name !== name);
  const save = (name: string): void => setViews([...withoutView(name), { name, search: currentSearch }]);
  // The chosen menu item disappears; the dialog returns the focus to the button.
  const fromButton = (act: () => void) => () => {
    button.current?.focus();
    act();
  };
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={button} variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(({ name, search }) => (
            <Menu.Item
              key={name}
              component={Link}
              href={`${path}?${search}`}
              onClick={() => button.current?.focus()}
              {...(search === currentSearch && { "aria-current": "true" as const, fw: 600 })}
            >
              {name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {current === undefined ? (
            // It takes the focus also while there is nothing to save.
            <Menu.Item
              {...(currentSearch === ""
                ? { "aria-disabled": true, "data-disabled": true, closeMenuOnClick: false }
                : { onClick: fromButton(() => setSaving(true)) })}
            >
              Save this view…
            </Menu.Item>
          ) : (
            <Menu.Item
              onClick={fromButton(() => {
                setViews(withoutView(current.name));
                notify(`The view ${current.name} is forgotten.`);
              })}
            >
              Forget “{current.name}”
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSaving && <SaveView onSave={save} onClose={() => setSaving(false)} />}
    </>
  );
};
