import { createContext, type Dispatch, type ReactNode, type SetStateAction, useContext, useState } from "react";
import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import type { FirstRows } from "./first-rows.ts";
import type { FileDraft } from "./import-draft.ts";

/** A file chosen for import, with the options from its last check. */
export interface ChosenFile {
  readonly file: File;
  readonly firstRows: FirstRows;
  readonly draft: FileDraft | null;
  readonly ownColumns: OwnColumns | null;
  /** The id of the import that checked it. */
  readonly importId: number | null;
}

interface Choice {
  readonly chosen: ChosenFile | null;
  readonly setChosen: Dispatch<SetStateAction<ChosenFile | null>>;
}

const Context = createContext<Choice>({ chosen: null, setChosen: () => {} });

/** Keeps the chosen file while the user visits other pages. It is lost with the session or the tab. */
export const ChosenFileProvider = ({ children }: { children: ReactNode }) => {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  return <Context value={{ chosen, setChosen }}>{children}</Context>;
};

/** The chosen file, and a function that chooses another. */
export const useChosenFile = (): Choice => useContext(Context);
