import { DEFAULT_SETTINGS } from "../../core/settings/installation.ts";
import type { Storage } from "../../core/storage.ts";

const storage: Storage = { diskRefusal: () => null, refusal: async () => null, recentRefusal: () => null };

/** For use cases that a test makes by itself: storage without limits, and settings that nobody changes. */
export const UNLIMITED = { storage, settings: { read: () => DEFAULT_SETTINGS } };

/** The same for imports, of which none waits for a place, and no workbook is read. */
export const UNLIMITED_IMPORTS = { ...UNLIMITED, tidySoon: () => {}, alarm: null, workbooks: null };
