import { Dialog } from "../forms/dialog.tsx";
import { COMMAND_KEY } from "./shortcuts.ts";

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [[COMMAND_KEY, "K"], "Search everywhere: vehicles, dealers, users, keys, pages and actions"],
  [["/"], "Go to the search of the list, or search everywhere"],
  [["↑", "↓"], "Move between what was found, or the lines of a menu"],
  [["Enter"], "Open what is marked"],
  [["Space"], "Tick the row"],
  [["Esc"], "Close what was opened last"],
  [["?"], "Show these keys"],
];

/** The keyboard shortcuts. */
export const ShortcutList = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" size="md" onClose={onClose}>
    <dl className="shortcuts">
      {SHORTCUTS.map(([keys, does]) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
