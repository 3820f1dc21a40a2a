import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

/** What the page's own policy lets style elements in. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Dialogs keep what is behind them from scrolling by a style element of their own, which asks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<App nonce={nonce} />);
