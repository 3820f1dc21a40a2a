const REFUSED_WEIGHT = /^q=0(?:\.0*)?$/;

/**
 * True when the list of an `Accept…` header has one of the choices, written in small letters, and none of its
 * parameters is a weight of 0 (RFC 9110, 12.4.2).
 */
export const accepts = (header: string | null, choices: readonly string[]): boolean =>
  (header ?? "").split(",").some((item) => {
    const [choice = "", ...parameters] = item.toLowerCase().split(";");
    return choices.includes(choice.trim()) && !parameters.some((each) => REFUSED_WEIGHT.test(each.trim()));
  });
