/** The currencies (ISO 4217) that a sign may stand for. A sign that is not here stands for a currency of its own. */
const SIGNS: Readonly<Record<string, string>> = {
  $: "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BRL UYU BMD BSD BBD BZD JMD TTD FJD NAD XCD KYD DOP",
  "€": "EUR",
  "£": "GBP GIP FKP EGP SYP LBP",
  "¥": "JPY CNY",
  "₹": "INR",
  "₺": "TRY",
  "₩": "KRW",
  "₪": "ILS",
  "₽": "RUB",
  "₴": "UAH",
  "฿": "THB",
  "₫": "VND",
  "₱": "PHP",
  "₦": "NGN",
  "₡": "CRC",
  "₲": "PYG",
  "₵": "GHS",
  "₸": "KZT",
  "₾": "GEL",
  "₼": "AZN",
  "֏": "AMD",
  "៛": "KHR",
  "₭": "LAK",
  "৳": "BDT",
};

/** The currencies that a word beside a price may stand for. Codes of ISO 4217 stand for themselves. */
const WORDS: Readonly<Record<string, string>> = {
  us: "USD",
  u: "USD",
  s: "USD",
  ca: "CAD",
  cad: "CAD",
  c: "CAD",
  a: "AUD",
  nz: "NZD",
  euro: "EUR",
  euros: "EUR",
  fr: "CHF",
  sfr: "CHF",
  rs: "INR PKR LKR NPR MUR SCR",
  kr: "SEK NOK DKK ISK",
  zł: "PLN",
  kč: "CZK",
  ft: "HUF",
  lei: "RON MDL",
  tl: "TRY",
  r: "ZAR BRL",
  dollar: SIGNS.$ ?? "",
  dollars: SIGNS.$ ?? "",
  pound: SIGNS["£"] ?? "",
  pounds: SIGNS["£"] ?? "",
};

/** Codes that stand for themselves beside a price. Other words there are no currency. */
const CODES: ReadonlySet<string> = new Set(
  "usd cad eur gbp aud nzd mxn chf jpy cny inr sek nok dkk isk pln czk huf ron bgn try zar brl aed sar ils krw sgd hkd twd thb php idr myr vnd kzt rub uah kwd qar bhd omr jod egp mad tnd ngn kes ghs ars clp cop pen uyu pkr lkr bdt".split(
    " ",
  ),
);

const listOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const BY_SIGN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(SIGNS).map(([sign, codes]) => [sign, listOf(codes)]),
);
const BY_WORD: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...CODES].map((code) => [code, listOf(code.toUpperCase())] as const),
  ...Object.entries(WORDS).map(([word, codes]) => [word, listOf(codes)] as const),
]);

/** True if a word in small letters is the name of a currency. */
export const isCurrencyWord = (word: string): boolean => BY_WORD.has(word);

const ANY_SIGN = /\p{Sc}/gu;
const CODE = /^[a-z]{3}$/;

/** The sign or word that stands for another currency than this one; `null` if none does. */
export const otherCurrencyIn = (
  { text, words }: { readonly text: string; readonly words: readonly string[] },
  currency: string,
): string | null => {
  for (const [sign] of text.matchAll(ANY_SIGN)) if (BY_SIGN.get(sign)?.has(currency) !== true) return sign;
  const word = words.find((one) => BY_WORD.get(one)?.has(currency) === false);
  return word === undefined ? null : word.toUpperCase();
};

/** True if the text of a column for the currency, such as `EUR` or `€`, means another one than this. */
export const isOtherCurrency = (text: string, currency: string): boolean => {
  const word = text.trim().toLowerCase();
  if (word === currency.toLowerCase()) return false;
  const known = BY_SIGN.get(word) ?? BY_WORD.get(word);
  return known === undefined
    ? CODE.test(word) || otherCurrencyIn({ text: word, words: [] }, currency) !== null
    : !known.has(currency);
};

/** What a price in another currency is told, with what to do. */
export const currencyDiffers = (other: string, currency: string) => ({
  code: "currency_differs",
  message: `is in ${other}, and the installation's currency is ${currency} (its setting); nothing is converted. Send it in ${currency}, or choose currency=ignore to take the number as it is`,
});
