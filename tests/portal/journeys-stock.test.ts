import { adviceJourneys } from "./journeys/advice.ts";
import { channelJourneys } from "./journeys/channels.ts";
import { correctionJourneys } from "./journeys/corrections.ts";
import { findingJourneys } from "./journeys/finding.ts";
import { historyJourneys } from "./journeys/history.ts";
import { importJourneys } from "./journeys/imports.ts";
import { inventoryJourneys } from "./journeys/inventory.ts";
import { journeysOf } from "./journeys/journeys-of.ts";
import { liveChangeJourneys } from "./journeys/live-changes.ts";
import { photoJourneys } from "./journeys/photos.ts";
import { priceJourneys } from "./journeys/prices.ts";
import { reachJourneys } from "./journeys/reach.ts";
import { recentChangeJourneys } from "./journeys/recent-changes.ts";
import { removedJourneys } from "./journeys/removed.ts";
import { reportJourneys } from "./journeys/reports.ts";
import { sellingJourneys } from "./journeys/selling.ts";
import { sheetJourneys } from "./journeys/sheet.ts";
import { sourceJourneys } from "./journeys/sources.ts";
import { suggestionJourneys } from "./journeys/suggestions.ts";
import { todayJourneys } from "./journeys/today.ts";
import { vehicleJourneys } from "./journeys/vehicles.ts";
import { walkJourneys } from "./journeys/walk.ts";

// Journeys of vehicles: how they come in, are found, changed and sent on.
journeysOf(
  [
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
  ],
  [inventoryJourneys, importJourneys],
);
