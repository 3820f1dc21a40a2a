/** Colours, each with what files in other languages say for it. */
const COLORS = {
  Black: ["schwarz", "noir", "noire", "negro", "negra", "nero", "nera"],
  White: ["weiß", "blanc", "blanche", "blanco", "blanca", "bianco", "bianca"],
  Gray: ["grau", "anthrazit", "gris", "grise", "anthracite", "antracita", "grigio", "grigia", "antracite"],
  Silver: ["silber", "argent", "argenté", "plata", "plateado", "argento"],
  Blue: ["blau", "bleu", "bleue", "azul", "blu"],
  Red: ["rot", "rouge", "rojo", "roja", "rosso", "rossa"],
  Green: ["grün", "vert", "verte", "verde"],
  Brown: ["braun", "marron", "brun", "marrone"],
  Beige: ["crème", "crema", "sabbia"],
  Gold: ["doré", "dorado", "oro"],
  Yellow: ["gelb", "jaune", "amarillo", "amarilla", "giallo", "gialla"],
  Orange: ["naranja", "arancione", "arancio"],
  Purple: ["violett", "lila", "violet", "violette", "morado", "viola"],
} as const;

/**
 * THE table of the values that are proposed for fields which have few of them, each with what German, French, Spanish
 * and Italian files say for it. docs/imports.md shows it. Whoever knows more words adds them here.
 */
export const KNOWN_VALUES = {
  status: {
    available: ["auf Lager", "sofort verfügbar", "libre", "en existencias", "pronta consegna"],
    pending: ["im Zulauf", "bestellt", "vorgemerkt", "en commande", "sous compromis", "apartado", "in arrivo"],
    sold: ["abgegeben", "ausgeliefert", "livré", "entregado", "consegnato"],
  },
  condition: {
    new: ["Tageszulassung", "Neufahrzeug", "0 km", "véhicule neuf", "km 0"],
    used: [
      ...["Jahreswagen", "Vorführwagen", "Dienstwagen", "Gebrauchtfahrzeug", "véhicule d'occasion", "de segunda mano"],
      ...["seminuevo", "seminuova", "semestrale", "aziendale", "véhicule de démonstration"],
    ],
    certified: ["zertifiziert", "certifié", "certificado", "certificato"],
  },
  fuel_type: {
    Gasoline: [
      "Benzin",
      "Super",
      "Super E10",
      "Ottokraftstoff",
      "essence",
      "sans plomb",
      "gasolina",
      "nafta",
      "benzina",
    ],
    Diesel: ["gazole", "gasoil", "gasóleo", "gasolio", "Dieselkraftstoff"],
    Electric: ["Elektro", "Strom", "elektrisch", "électrique", "eléctrico", "eléctrica", "elettrico", "elettrica"],
    Hybrid: [
      ...["Benzin/Elektro", "Elektro/Benzin", "Diesel/Elektro", "Vollhybrid", "Mildhybrid", "hybride", "híbrido"],
      ...["híbrida", "ibrido", "ibrida", "essence/électrique", "benzina/elettrica", "gasolina/eléctrico"],
    ],
    "Plug-in hybrid": [
      ...[
        "Plug-in-Hybrid Benzin",
        "hybride rechargeable",
        "híbrido enchufable",
        "ibrida plug-in",
        "ibrido ricaricabile",
      ],
    ],
    LPG: ["Autogas (LPG)", "Flüssiggas", "GPL", "GLP"],
    CNG: ["Erdgas", "gaz naturel", "GNV", "gas natural", "metano"],
    Hydrogen: ["Wasserstoff", "hydrogène", "hidrógeno", "idrogeno"],
  },
  transmission: {
    Automatic: [
      ...["Automatik", "Automatikgetriebe", "Halbautomatik", "Doppelkupplung", "stufenlos", "automatique"],
      ...["boîte automatique", "automático", "automática", "cambio automatico", "semiautomatico"],
    ],
    Manual: [
      ...["Schaltgetriebe", "Schaltung", "manuell", "Handschaltung", "Handschaltgetriebe", "manuelle", "mécanique"],
      ...["boîte manuelle", "cambio manual", "manuale", "cambio manuale", "mecánico"],
    ],
  },
  drivetrain: {
    AWD: [
      "Allrad",
      "Allradantrieb",
      "vier Räder",
      "4 roues motrices",
      "transmission intégrale",
      "tracción integral",
      "trazione integrale",
      "integrale",
    ],
    "4WD": ["Geländeantrieb", "quatre roues motrices", "tracción a las cuatro ruedas", "quattro ruote motrici"],
    FWD: [
      "Front",
      "Vorderrad",
      "Frontantrieb",
      "Vorderradantrieb",
      "traction",
      "traction avant",
      "tracción delantera",
      "delantera",
      "anteriore",
      "trazione anteriore",
    ],
    RWD: [
      "Heck",
      "Hinterrad",
      "Heckantrieb",
      "Hinterradantrieb",
      "propulsion",
      "tracción trasera",
      "trasera",
      "posteriore",
      "trazione posteriore",
    ],
  },
  body_style: {
    Sedan: ["Limousine", "Stufenheck", "berline", "berlina"],
    Wagon: ["Kombi", "Kombilimousine", "break", "familiar", "ranchera", "familiare", "giardinetta"],
    SUV: ["Geländewagen", "SUV/Geländewagen", "tout-terrain", "4x4", "todoterreno", "fuoristrada", "SUV/Fuoristrada"],
    Hatchback: [
      "Schrägheck",
      "Kleinwagen",
      "Kompaktwagen",
      "compacte",
      "citadine",
      "compacto",
      "utilitario",
      "due volumi",
    ],
    Coupe: ["Sportwagen", "Sportwagen/Coupé", "cupé"],
    Convertible: ["Cabrio/Roadster", "décapotable", "descapotable", "decappottabile"],
    Minivan: ["Van/Kleinbus", "Großraumlimousine", "monospace", "monovolumen", "monovolume"],
    Van: ["Kastenwagen", "Transporter", "fourgon", "utilitaire", "furgoneta", "furgón", "furgone"],
    Pickup: ["Pritsche", "Pick-up-Truck", "camioneta", "camionnette"],
    Truck: ["Lkw", "camión", "autocarro"],
  },
  exterior_color: COLORS,
  interior_color: COLORS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A field whose values can be taught. */
export type TaughtField = keyof typeof KNOWN_VALUES;

/** All fields whose values can be taught, in the order of answers. */
export const TAUGHT_FIELDS = Object.keys(KNOWN_VALUES) as TaughtField[];

/** True for the name of a field whose values can be taught. */
export const isTaughtField = (name: string): name is TaughtField => Object.hasOwn(KNOWN_VALUES, name);

/** The values that are proposed for a field. */
export const knownValuesOf = (field: TaughtField): readonly string[] => Object.keys(KNOWN_VALUES[field]);
