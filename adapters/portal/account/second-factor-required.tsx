import { Text } from "@mantine/core";
import { Entrance } from "../session/entrance.tsx";
import { SignOut } from "../session/sign-out.tsx";
import { SecondFactorSection } from "./second-factor.tsx";

/** All there is for whoever has to set up a second factor before anything else. */
export const SecondFactorRequired = () => (
  <Entrance title="Set up your second factor">
    <Text size="sm">
      Your account needs a second factor: a code of an authenticator app besides the password. Everything else opens
      once it is set up.
    </Text>
    <SecondFactorSection />
    <SignOut />
  </Entrance>
);
