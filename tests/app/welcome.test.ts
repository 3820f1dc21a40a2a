import { expect, test } from "bun:test";
import { welcome } from "../../app/welcome.ts";

test("a start tells where the service is, and frames the link of the first super-admin unless the first key was chosen", () => {
  const url = "http://127.0.0.1:3000";
  const setUpLink = `${url}/portal/invitations/abc`;
  const told = (link: string | null, hasOwnKey: boolean) => welcome({ url, setUpLink: link, hasOwnKey });
  const lines = (portal: string) => `Vehicle Inventory Service is ready at ${url}
  API reference  ${url}/docs
  ${portal}
  First request  curl ${url}/api/vehicles -H "X-API-Key: <your key>"
`;
  const plain = lines(`Portal         ${url}/portal`);
  expect([told(null, false), told(null, true)]).toEqual([plain, plain]);
  expect(told(setUpLink, true)).toBe(lines(`Set up portal  ${setUpLink}`));
  const framed = told(setUpLink, false);
  expect(framed).toEndWith(`=\n\n${plain}`);
  expect(framed.split(setUpLink)).toHaveLength(2);
});
