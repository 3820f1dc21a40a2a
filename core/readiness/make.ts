import { fold } from "../text.ts";

/** Makes by other names, folded. */
const OTHER_MAKES: Readonly<Record<string, string>> = {
  chevy: "chevrolet",
  vw: "volkswagen",
  mercedes: "mercedesbenz",
  benz: "mercedesbenz",
  rangerover: "landrover",
  dodgeram: "dodge",
  ramtrucks: "ram",
  maybach: "mercedesbenz",
  mercedesmaybach: "mercedesbenz",
  amg: "mercedesbenz",
  mercedesamg: "mercedesbenz",
};
const BETWEEN = /[^\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;

/** The make under its usual name, folded. */
export const makeOf = (make: string): string => {
  const folded = fold(make.normalize("NFKD").replace(MARKS, "")).replace(BETWEEN, "");
  return OTHER_MAKES[folded] ?? folded;
};
