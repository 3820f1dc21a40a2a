import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { addFont } from "./font.ts";

/** The nonce with which the content security policy admits style elements. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Dialogs lock the page's scrolling with a style element, which takes its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

addFont();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<App nonce={nonce} />);
