import type { Transport } from "../api/client.ts";

const NO_ANSWER = 0;

const headersIn = (text: string): Headers => {
  const headers = new Headers();
  for (const line of text.trim().split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
};

/** Sends requests so that it can be told which share of the body was sent; `fetch` does not tell. */
export const progressTransport =
  (onProgress: (share: number) => void): Transport =>
  (address, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = () => {
        const { status, responseText } = request;
        if (status === NO_ANSWER) reject(new TypeError("no answer"));
        else resolve(new Response(responseText, { status, headers: headersIn(request.getAllResponseHeaders()) }));
      };
      request.onerror = () => reject(new TypeError("no answer"));
      request.onabort = () => reject(new DOMException("The upload was stopped", "AbortError"));
      signal?.addEventListener("abort", () => request.abort());
      request.send(body ?? null);
    });
