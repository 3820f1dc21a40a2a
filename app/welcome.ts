import { framedLink } from "./first-key.ts";

/** What a start tells the person who made it. */
export interface Start {
  readonly url: string;
  /** The link for the first super-admin; `null` if there is one. */
  readonly setUpLink: string | null;
  /** An operator who chose the first key is shown the link without a frame. */
  readonly hasOwnKey: boolean;
}

/** The lines after a start: where the service is, and the link with which the portal is set up. */
export const welcome = ({ url, setUpLink, hasOwnKey }: Start): string => {
  const framed = setUpLink === null || hasOwnKey ? "" : `${framedLink(setUpLink)}\n`;
  const portal = framed === "" && setUpLink !== null ? `Set up portal  ${setUpLink}` : `Portal         ${url}/portal`;
  return `${framed}Vehicle Inventory Service is ready at ${url}
  API reference  ${url}/docs
  ${portal}
  First request  curl ${url}/api/vehicles -H "X-API-Key: <your key>"
`;
};
