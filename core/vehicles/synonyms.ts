/**
 * THE table of synonyms: what dealers write, and what they mean by it. Each meaning has phrases in small letters and
 * digits, with a space between two words. A text has the first meaning in the table of which it contains a phrase. So a
 * narrower meaning must stand before a wider one: `plug in hybrid` before `hybrid`. A phrase of one letter must be the
 * whole text.
 */
export const SYNONYMS = {
  condition: {
    certified: ["certified", "cpo", "certified pre owned", "certified preowned", "c"],
    used: [
      "used",
      "like new",
      "as new",
      "nearly new",
      "almost new",
      "pre owned",
      "preowned",
      "second hand",
      "secondhand",
      "u",
      "gebraucht",
      "demo",
      "demonstrator",
    ],
    new: ["new", "brand new", "n", "neu", "unused"],
  },
  body: {
    minibus: ["minibus", "mini bus", "bus", "passenger bus"],
    minivan: ["minivan", "mini van", "minivan van", "passenger minivan"],
    mpv: ["mpv", "multi purpose vehicle", "people carrier"],
    pickup: [
      "pickup",
      "pick up",
      "crew cab",
      "extended cab",
      "regular cab",
      "double cab",
      "quad cab",
      "king cab",
      "club cab",
      "standard cab",
      "supercrew",
      "super crew",
      "supercab",
      "super cab",
      "crewmax",
      "crew max",
      "mega cab",
      "access cab",
      "ute",
    ],
    crossover: ["crossover", "cuv", "cross over"],
    suv: ["suv", "sport utility", "sports utility", "sport utility vehicle", "off roader", "4x4 suv"],
    roadster: ["roadster", "spyder", "spider"],
    convertible: ["convertible", "cabriolet", "cabrio", "drop top", "soft top"],
    grandtourer: ["grandtourer", "grand tourer", "gran turismo", "grand touring coupe"],
    supercar: ["supercar", "hypercar"],
    sportscar: ["sportscar", "sports car", "sport car"],
    coupe: ["coupe", "coup", "2dr car", "fastback coupe"],
    supermini: ["supermini", "super mini"],
    small_car: ["small car", "city car", "subcompact", "microcar"],
    hatchback: ["hatchback", "hatch", "liftback", "5 door hatch"],
    estate: ["estate", "touring estate", "shooting brake", "kombi"],
    wagon: ["wagon", "station wagon", "avant", "touring wagon", "sportwagen"],
    saloon: ["saloon", "limousine"],
    sedan: ["sedan", "4dr car", "4 door car", "notchback"],
    van: ["van", "cargo van", "passenger van", "panel van", "full size van"],
    truck: ["truck", "box truck", "chassis cab", "cab chassis", "flatbed"],
  },
  transmission: {
    automatic: [
      "automatic",
      "auto",
      "a t",
      "at",
      "cvt",
      "ecvt",
      "e cvt",
      "ivt",
      "dct",
      "dsg",
      "pdk",
      "tiptronic",
      "steptronic",
      "dual clutch",
      "continuously variable",
      "continuously variable transmission",
      "automated manual",
      "single speed",
      "1 speed",
      "direct drive",
      "a",
    ],
    manual: ["manual", "m t", "mt", "stick", "stick shift", "standard", "m"],
  },
  fuel: {
    other: ["hydrogen", "fuel cell", "cng", "lpg", "natural gas", "propane", "autogas"],
    plugin_hybrid: ["plug in hybrid", "plugin hybrid", "plug in", "plugin", "phev", "plug in gas electric"],
    hybrid: [
      "hybrid",
      "hev",
      "mhev",
      "gas electric",
      "gasoline electric",
      "petrol electric",
      "electric gas",
      "electric gasoline",
    ],
    flex: ["flex", "flex fuel", "flexfuel", "flexible", "flexible fuel", "e85", "ethanol", "ffv"],
    electric: ["electric", "ev", "bev", "battery", "battery electric", "elektro"],
    diesel: ["diesel", "tdi", "turbodiesel", "biodiesel", "d"],
    petrol: ["petrol", "benzin"],
    gasoline: ["gasoline", "gas", "unleaded", "premium unleaded", "regular unleaded", "gasolina", "g"],
  },
  drivetrain: {
    awd: ["awd", "all wheel", "all wheel drive", "quattro", "4matic", "xdrive", "4motion", "symmetrical awd"],
    four_wd: ["4wd", "4 wd", "four wd", "4x4", "four wheel", "four wheel drive", "4 wheel drive", "4 wheel"],
    two_wd: ["2wd", "2 wd", "two wd", "4x2", "two wheel", "two wheel drive", "2 wheel drive"],
    fwd: ["fwd", "front wheel", "front wheel drive", "front"],
    rwd: ["rwd", "rear wheel", "rear wheel drive", "rear", "sdrive"],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
type Table = typeof SYNONYMS;

/** The subjects for which synonyms are known. */
export type Subject = keyof Table;
/** The meanings that a text about a subject may have. */
export type Meaning<About extends Subject = Subject> = { [Key in About]: keyof Table[Key] & string }[About];

const MARKS = /\p{M}+/gu;
const BETWEEN = /[^a-z0-9]+/g;
/** Only this many characters of a text are read. Longer texts do not name anything. */
const MAX_LENGTH = 200;

/**
 * The words of a text in small letters and digits, with a space before, between and after them: ` sport utility 4d `.
 */
const wordsOf = (text: string): string =>
  ` ${text.slice(0, MAX_LENGTH).normalize("NFKD").replace(MARKS, "").toLowerCase().replace(BETWEEN, " ").trim()} `;

/** The length of a phrase of one letter, with the spaces around it. */
const ONE_LETTER = 3;

const PHRASES = Object.fromEntries(
  (Object.keys(SYNONYMS) as Subject[]).map((subject) => [
    subject,
    Object.entries<readonly string[]>(SYNONYMS[subject]).flatMap(([meaning, phrases]) =>
      phrases.map((phrase) => [` ${phrase} `, meaning] as const),
    ),
  ]),
) as unknown as { readonly [About in Subject]: readonly (readonly [phrase: string, meaning: Meaning<About>])[] };

/**
 * The maximum number of texts whose meaning is remembered for each subject. Dealers write the same few words again and
 * again.
 */
const MAX_KNOWN_TEXTS = 500;
const knownTexts = Object.fromEntries(Object.keys(SYNONYMS).map((subject) => [subject, new Map()])) as {
  readonly [About in Subject]: Map<string, Meaning<About> | null>;
};

const containsPhrase = (phrase: string, words: string): boolean =>
  phrase.length === ONE_LETTER ? words === phrase : words.includes(phrase);

/** The meaning of a text about a subject; `null` if it is unknown. */
export const meaningOf = <About extends Subject>(subject: About, text: string): Meaning<About> | null => {
  const texts = knownTexts[subject];
  const before = texts.get(text);
  if (before !== undefined) return before;
  const words = wordsOf(text);
  const meaning = PHRASES[subject].find(([phrase]) => containsPhrase(phrase, words))?.[1] ?? null;
  if (texts.size >= MAX_KNOWN_TEXTS) texts.clear();
  if (text.length <= MAX_LENGTH) texts.set(text, meaning);
  return meaning;
};
