import { activityJourneys } from "./journeys/activity.ts";
import { adviceJourneys } from "./journeys/advice.ts";
import { ceilingJourneys } from "./journeys/ceilings.ts";
import { channelJourneys } from "./journeys/channels.ts";
import { choiceJourneys } from "./journeys/choices.ts";
import { conflictJourneys } from "./journeys/conflicts.ts";
import { correctionJourneys } from "./journeys/corrections.ts";
import { endingKeyJourneys } from "./journeys/ending-keys.ts";
import { endingSecretsJourneys } from "./journeys/ending-secrets.ts";
import { findingJourneys } from "./journeys/finding.ts";
import { firstStepsJourneys } from "./journeys/first-steps.ts";
import { formJourneys } from "./journeys/forms.ts";
import { historyJourneys } from "./journeys/history.ts";
import { importJourneys } from "./journeys/imports.ts";
import { inventoryJourneys } from "./journeys/inventory.ts";
import { journeysOf } from "./journeys/journeys-of.ts";
import { keyboardJourneys } from "./journeys/keyboard.ts";
import { keyJourneys } from "./journeys/keys.ts";
import { listJourneys } from "./journeys/lists.ts";
import { liveChangeJourneys } from "./journeys/live-changes.ts";
import { paletteJourneys } from "./journeys/palette.ts";
import { photoJourneys } from "./journeys/photos.ts";
import { priceJourneys } from "./journeys/prices.ts";
import { reachJourneys } from "./journeys/reach.ts";
import { reauthenticationJourneys } from "./journeys/reauthentication.ts";
import { recentChangeJourneys } from "./journeys/recent-changes.ts";
import { refusedKeyJourneys } from "./journeys/refused-keys.ts";
import { removedJourneys } from "./journeys/removed.ts";
import { reportJourneys } from "./journeys/reports.ts";
import { sellingJourneys } from "./journeys/selling.ts";
import { settingsJourneys } from "./journeys/settings.ts";
import { sheetJourneys } from "./journeys/sheet.ts";
import { signInJourneys } from "./journeys/sign-in.ts";
import { sourceJourneys } from "./journeys/sources.ts";
import { suggestionJourneys } from "./journeys/suggestions.ts";
import { todayJourneys } from "./journeys/today.ts";
import { unsavedJourneys } from "./journeys/unsaved.ts";
import { userJourneys } from "./journeys/users.ts";
import { vehicleJourneys } from "./journeys/vehicles.ts";
import { visibilityJourneys } from "./journeys/visibility.ts";
import { walkJourneys } from "./journeys/walk.ts";
import { webhookJourneys } from "./journeys/webhooks.ts";
import { wordJourneys } from "./journeys/words.ts";

/** People and their keys: how they come in, what they see, and what they may hand out. */
const PEOPLE = [
  keyJourneys,
  refusedKeyJourneys,
  ceilingJourneys,
  endingSecretsJourneys,
  endingKeyJourneys,
  visibilityJourneys,
  reauthenticationJourneys,
  userJourneys,
  activityJourneys,
  webhookJourneys,
  keyboardJourneys,
];

/** Vehicles: how they come in, are found, changed and sent on. */
const STOCK = [
  channelJourneys,
  sourceJourneys,
  vehicleJourneys,
  priceJourneys,
  adviceJourneys,
  sheetJourneys,
  photoJourneys,
  removedJourneys,
  reachJourneys,
  recentChangeJourneys,
  liveChangeJourneys,
  reportJourneys,
  findingJourneys,
  historyJourneys,
  sellingJourneys,
  correctionJourneys,
  suggestionJourneys,
  todayJourneys,
  walkJourneys,
];

/** Lists and forms, whatever they are about. */
const FORMS = [
  firstStepsJourneys,
  listJourneys,
  formJourneys,
  wordJourneys,
  unsavedJourneys,
  conflictJourneys,
  choiceJourneys,
  paletteJourneys,
  settingsJourneys,
];

// One file, for each that starts a browser and a service costs seconds before its first test.
journeysOf([...PEOPLE, ...STOCK, ...FORMS], [signInJourneys, inventoryJourneys, importJourneys]);
