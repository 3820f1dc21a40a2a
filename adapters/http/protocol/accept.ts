const REFUSED_WEIGHT = /^q=0(?:\.0*)?$/;

/**
 * True if the list in an `Accept…` header contains one of the choices with a weight above 0 (RFC 9110, 12.4.2). The
 * choices must be in small letters.
 */
export const accepts = (header: string | null, choices: readonly string[]): boolean =>
  (header ?? "").split(",").some((item) => {
    const [choice = "", ...parameters] = item.toLowerCase().split(";");
    return choices.includes(choice.trim()) && !parameters.some((each) => REFUSED_WEIGHT.test(each.trim()));
  });
