import { choiceJourneys } from "./journeys/choices.ts";
import { conflictJourneys } from "./journeys/conflicts.ts";
import { firstStepsJourneys } from "./journeys/first-steps.ts";
import { formJourneys } from "./journeys/forms.ts";
import { journeysOf } from "./journeys/journeys-of.ts";
import { listJourneys } from "./journeys/lists.ts";
import { paletteJourneys } from "./journeys/palette.ts";
import { settingsJourneys } from "./journeys/settings.ts";
import { unsavedJourneys } from "./journeys/unsaved.ts";
import { wordJourneys } from "./journeys/words.ts";

// Journeys through lists and forms, whatever they are about.
journeysOf([
  firstStepsJourneys,
  listJourneys,
  formJourneys,
  wordJourneys,
  unsavedJourneys,
  conflictJourneys,
  choiceJourneys,
  paletteJourneys,
  settingsJourneys,
]);
