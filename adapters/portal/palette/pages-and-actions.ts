import { admit } from "../../../core/access/decide.ts";
import type { Operation } from "../../../core/access/policy.ts";
import { useSectionGroups } from "../frame/rail.tsx";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import type { PaletteEntry } from "./record-lists.ts";

interface Action extends PaletteEntry {
  readonly needs: Operation;
}

const ACTIONS: readonly Action[] = [
  { label: "Add a vehicle", needs: "vehicle.create", to: "/vehicles/new" },
  { label: "Scheduled changes", needs: "schedule.list", to: "/vehicles/scheduled" },
  { label: "Import a file", needs: "import.create", to: "/imports/new" },
  { label: "Create a feed", needs: "feed.create", to: "/channels/new" },
  { label: "Add a source", needs: "source.create", to: "/imports/sources/new" },
  { label: "Add a dealer", needs: "dealer.create", to: "/dealers/new" },
  { label: "Create a key", needs: "key.create", to: "/keys/new" },
  { label: "Create a webhook", needs: "webhook.create", to: "/webhooks/new" },
  { label: "Invite a user", needs: "user.create", to: "/users/new" },
];

const ACCOUNT: PaletteEntry = { label: "Account", to: "/account" };

/** The pages and actions of the signed-in user. */
export const usePagesAndActions = (): {
  readonly pages: readonly PaletteEntry[];
  readonly actions: readonly PaletteEntry[];
} => {
  const { user } = useSession();
  const sections = useSectionGroups().flatMap((group) => group.sections);
  const actions = ACTIONS.filter(({ needs }) => admit(powersOf(user), needs) === null);
  return { pages: [...sections.map(({ to, label }) => ({ to, label })), ACCOUNT], actions };
};

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "a");

/** True if a word of the label begins with each typed word. */
export const matches = (label: string, typed: string): boolean =>
  wordsOf(typed).every((begin) => wordsOf(label).some((word) => word.startsWith(begin)));
