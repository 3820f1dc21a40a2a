import { activityJourneys } from "./journeys/activity.ts";
import { ceilingJourneys } from "./journeys/ceilings.ts";
import { endingKeyJourneys } from "./journeys/ending-keys.ts";
import { endingSecretsJourneys } from "./journeys/ending-secrets.ts";
import { journeysOf } from "./journeys/journeys-of.ts";
import { keyboardJourneys } from "./journeys/keyboard.ts";
import { keyJourneys } from "./journeys/keys.ts";
import { reauthenticationJourneys } from "./journeys/reauthentication.ts";
import { refusedKeyJourneys } from "./journeys/refused-keys.ts";
import { signInJourneys } from "./journeys/sign-in.ts";
import { userJourneys } from "./journeys/users.ts";
import { visibilityJourneys } from "./journeys/visibility.ts";
import { webhookJourneys } from "./journeys/webhooks.ts";

// Journeys of people and their keys: how they come in, what they see, and what they may hand out.
journeysOf(
  [
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
  ],
  [signInJourneys],
);
