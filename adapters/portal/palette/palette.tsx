import { CloseButton, Modal } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { focusPathOf, restoreFocus } from "../forms/focus.ts";
import { Picture } from "../photos/picture.tsx";
import type { EarlyKeys } from "./early-keys.ts";
import { type Group, usePaletteResults } from "./palette-results.ts";
import { joined, type PaletteEntry } from "./record-lists.ts";

interface ResultsProps {
  readonly id: string;
  readonly groups: readonly Group[];
  /** The address of the marked entry. */
  readonly marked: string | undefined;
  readonly onMark: (entry: PaletteEntry) => void;
  readonly onChoose: (entry: PaletteEntry) => void;
}

const idOf = (list: string, { to }: PaletteEntry): string => `${list}-${to}`;

const Results = ({ id, groups, marked, onMark, onChoose }: ResultsProps) => (
  // The field keeps the focus; `aria-activedescendant` names the marked entry.
  <div role="listbox" id={id} aria-label="Results" className="palette-results">
    {groups.map(({ heading, entries }) => (
      // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
      <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
        <div id={`${id}-${heading}`} className="palette-heading" role="presentation">
          {heading}
        </div>
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
          <div
            key={entry.to}
            id={idOf(id, entry)}
            role="option"
            aria-selected={entry.to === marked}
            className="palette-entry"
            {...(entry.detail && { "aria-description": joined(" · ", entry.detail, entry.figures) })}
            onMouseMove={() => onMark(entry)}
            onClick={() => onChoose(entry)}
          >
            {entry.picture !== undefined && (
              <span className="palette-photo" aria-hidden>
                <Picture image={entry.picture ?? undefined} alt="" className="palette-picture" />
              </span>
            )}
            <span className="palette-label">{entry.label}</span>
            {entry.detail && <span className="palette-detail" data-detail={entry.detail} />}
            {entry.figures && <span className="palette-figures" data-detail={entry.figures} />}
          </div>
        ))}
      </div>
    ))}
  </div>
);

/** The entry after or before the marked one; wraps around at both ends. */
const entryAfter = (
  entries: readonly PaletteEntry[],
  marked: PaletteEntry | undefined,
  step: 1 | -1,
): PaletteEntry | undefined => {
  const at = marked === undefined ? -1 : entries.indexOf(marked);
  return entries.at((at + step + entries.length) % Math.max(1, entries.length));
};

interface PaletteProps {
  readonly onClose: () => void;
  /** What was typed before the field was there. */
  readonly takeEarly: () => EarlyKeys;
}

/** The search everywhere: finds records, pages and actions, and opens the chosen one. */
export const Palette = ({ onClose, takeEarly }: PaletteProps) => {
  const [, go] = useLocation();
  const id = useId();
  const [origin] = useState(() => focusPathOf(document.activeElement));
  const [typed, setTyped] = useState("");
  const [markedTo, setMarkedTo] = useState<string | null>(null);
  const [isEnterPending, setEnterPending] = useState(false);
  // It has the focus at once: the dialog would give it later, and letters in between would be lost.
  const takeOver = useCallback(
    (field: HTMLInputElement | null) => {
      if (field === null) return;
      field.focus();
      const { text, isEntered } = takeEarly();
      if (text !== "") setTyped(text);
      if (isEntered) setEnterPending(true);
    },
    [takeEarly],
  );
  const { groups, isComplete } = usePaletteResults(typed);
  const entries = groups.flatMap((group) => group.entries);
  const marked = entries.find(({ to }) => to === markedTo) ?? entries[0];
  useLayoutEffect(() => () => restoreFocus(origin), [origin]);

  const choose = (entry: PaletteEntry): void => {
    onClose();
    go(entry.to);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the answer has arrived
  useEffect(() => {
    if (!isEnterPending || !isComplete) return;
    setEnterPending(false);
    if (marked !== undefined) choose(marked);
  }, [isEnterPending, isComplete]);
  useEffect(() => {
    if (marked !== undefined) document.getElementById(idOf(id, marked))?.scrollIntoView({ block: "nearest" });
  }, [id, marked]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
    if (step !== undefined) {
      event.preventDefault();
      setMarkedTo(entryAfter(entries, marked, step)?.to ?? null);
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    // Until the answer arrives, Enter waits: the first match may be a record.
    if (marked === undefined || !isComplete) setEnterPending(true);
    else choose(marked);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title="Search everywhere"
      withCloseButton={false}
      size={600}
      yOffset="12dvh"
      padding={0}
      transitionProps={{ duration: 0 }}
      classNames={{ header: "palette-title", content: "palette" }}
    >
      <div className="palette-field">
        <IconSearch size={18} aria-hidden />
        <input
          ref={takeOver}
          data-autofocus
          role="combobox"
          aria-label="Search everywhere"
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? id : undefined}
          aria-activedescendant={marked && idOf(id, marked)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Vehicles, dealers, users, keys, pages, actions…"
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMarkedTo(null);
            setEnterPending(false);
          }}
          onKeyDown={onKeyDown}
        />
        <CloseButton aria-label="Close" onClick={onClose} />
      </div>
      {entries.length > 0 ? (
        <Results id={id} groups={groups} marked={marked?.to} onMark={({ to }) => setMarkedTo(to)} onChoose={choose} />
      ) : (
        <p className="palette-none" role="status">
          {isComplete ? "Nothing matches" : "Searching…"}
        </p>
      )}
    </Modal>
  );
};
