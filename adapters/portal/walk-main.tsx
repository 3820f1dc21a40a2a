import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { addFont } from "./font.ts";
import { READABLE, THEME } from "./theme.ts";
import { WalkPage } from "./walk/walk-page.tsx";

// The page of a walk is one of its own: it opens without a network, so its parts are as few as may be.
addFont();

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
const dealerId = Number(/^\/portal\/walk\/(\d+)$/.exec(window.location.pathname)?.[1]);
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <MantineProvider theme={THEME} cssVariablesResolver={READABLE} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <WalkPage dealerId={dealerId} />
  </MantineProvider>,
);
