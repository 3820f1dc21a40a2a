import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { addFont } from "./font.ts";

/** The nonce for style elements under the content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Dialogs add a style element that stops the page from scrolling; it needs the nonce.
Object.assign(globalThis, { __webpack_nonce__: nonce });

addFont();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<App nonce={nonce} />);
