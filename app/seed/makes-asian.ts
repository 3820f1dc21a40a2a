import { auto, cvt, electric, hybrid, type Make, make, manual, plugIn } from "./model.ts";

/** Makes from Japan and Korea. */
// biome-ignore format: a table is read by its rows.
export const ASIAN: readonly Make[] = [
  make("Toyota", 15, [
    ["Camry", "4T1", 2011, "sedan", 28_700, "LE, SE, XLE, XSE", [auto("2.5L I4"), auto("3.5L V6"), hybrid("2.5L I4 Hybrid")], "FWD, AWD"],
    ["Corolla", "2T1", 2011, "sedan", 22_500, "L, LE, SE, XSE", [cvt("2.0L I4"), hybrid("1.8L I4 Hybrid")], "FWD"],
    ["Prius", "JTD", 2011, "hatchback", 28_500, "LE, XLE, Limited", [hybrid("1.8L I4 Hybrid"), hybrid("2.0L I4 Hybrid")], "FWD, AWD"],
    ["RAV4", "2T3", 2011, "suv", 29_500, "LE, XLE, XLE Premium, Adventure, Limited", [auto("2.5L I4"), hybrid("2.5L I4 Hybrid"), plugIn("2.5L I4 Plug-in Hybrid")], "FWD, AWD"],
    ["Highlander", "5TD", 2011, "largeSuv", 39_500, "LE, XLE, Limited, Platinum", [auto("2.4L I4 Turbo"), auto("3.5L V6"), hybrid("2.5L I4 Hybrid")], "FWD, AWD"],
    ["Sienna", "5TD", 2011, "minivan", 38_500, "LE, XLE, XSE, Limited, Platinum", [hybrid("2.5L I4 Hybrid")], "FWD, AWD"],
    ["4Runner", "JTE", 2011, "suv", 41_500, "SR5, TRD Off-Road, Limited, TRD Pro", [auto("4.0L V6")], "RWD, 4WD"],
    ["Tacoma", "3TM", 2012, "truck", 32_500, "SR, SR5, TRD Sport, TRD Off-Road, Limited", [auto("2.4L I4 Turbo"), auto("3.5L V6"), manual("3.5L V6")], "RWD, 4WD"],
    ["Tundra", "5TF", 2011, "truck", 41_500, "SR, SR5, Limited, Platinum, 1794 Edition", [auto("3.4L V6 Turbo"), auto("5.7L V8")], "RWD, 4WD"],
  ]),
  make("Honda", 11, [
    ["Civic", "2HG", 2011, "sedan", 25_500, "LX, Sport, EX, Touring", [cvt("2.0L I4"), cvt("1.5L I4 Turbo"), hybrid("2.0L I4 Hybrid")], "FWD"],
    ["Accord", "1HG", 2011, "sedan", 28_500, "LX, Sport, EX, EX-L, Touring", [cvt("1.5L I4 Turbo"), hybrid("2.0L I4 Hybrid")], "FWD"],
    ["CR-V", "7FA", 2017, "suv", 30_500, "LX, EX, EX-L, Sport Touring", [cvt("1.5L I4 Turbo"), hybrid("2.0L I4 Hybrid")], "FWD, AWD"],
    ["HR-V", "3CZ", 2016, "suv", 26_000, "LX, Sport, EX-L", [cvt("2.0L I4"), cvt("1.8L I4")], "FWD, AWD"],
    ["Pilot", "5FN", 2011, "largeSuv", 40_500, "Sport, EX-L, Touring, TrailSport, Elite", [auto("3.5L V6")], "FWD, AWD"],
    ["Odyssey", "5FN", 2011, "minivan", 39_500, "EX, EX-L, Touring, Elite", [auto("3.5L V6")], "FWD"],
    ["Ridgeline", "5FP", 2017, "truck", 40_500, "Sport, RTL, TrailSport, Black Edition", [auto("3.5L V6")], "AWD"],
  ]),
  make("Nissan", 7, [
    ["Altima", "1N4", 2011, "sedan", 27_000, "S, SV, SR, SL", [cvt("2.5L I4"), cvt("2.0L I4 Turbo")], "FWD, AWD"],
    ["Sentra", "3N1", 2011, "sedan", 22_000, "S, SV, SR", [cvt("2.0L I4"), cvt("1.8L I4")], "FWD"],
    ["Rogue", "5N1", 2014, "suv", 29_000, "S, SV, SL, Platinum", [cvt("1.5L I3 Turbo"), cvt("2.5L I4")], "FWD, AWD"],
    ["Pathfinder", "5N1", 2011, "largeSuv", 37_500, "S, SV, SL, Rock Creek, Platinum", [auto("3.5L V6")], "FWD, 4WD"],
    ["Frontier", "1N6", 2011, "truck", 31_500, "S, SV, PRO-X, PRO-4X", [auto("3.8L V6")], "RWD, 4WD"],
    ["LEAF", "1N4", 2013, "hatchback", 28_500, "S, SV, SL", [electric("Single Motor", "FWD")], "FWD"],
  ]),
  make("Hyundai", 6, [
    ["Elantra", "5NP", 2011, "sedan", 22_500, "SE, SEL, N Line, Limited", [cvt("2.0L I4"), hybrid("1.6L I4 Hybrid")], "FWD"],
    ["Sonata", "5NP", 2011, "sedan", 27_500, "SE, SEL, N Line, Limited", [auto("2.5L I4"), hybrid("2.0L I4 Hybrid")], "FWD"],
    ["Tucson", "KM8", 2011, "suv", 29_000, "SE, SEL, XRT, Limited", [auto("2.5L I4"), hybrid("1.6L I4 Hybrid")], "FWD, AWD"],
    ["Santa Fe", "5NM", 2013, "suv", 34_500, "SE, SEL, XRT, Limited, Calligraphy", [auto("2.5L I4 Turbo"), hybrid("1.6L I4 Hybrid")], "FWD, AWD"],
    ["Palisade", "KM8", 2020, "largeSuv", 37_500, "SE, SEL, XRT, Limited, Calligraphy", [auto("3.8L V6")], "FWD, AWD"],
    ["IONIQ 5", "KM8", 2022, "suv", 42_500, "SE, SEL, Limited", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
  ]),
  make("Kia", 6, [
    ["Forte", "3KP", 2017, "sedan", 20_500, "LX, LXS, GT-Line, GT", [cvt("2.0L I4"), auto("1.6L I4 Turbo")], "FWD"],
    ["K5", "5XX", 2021, "sedan", 26_500, "LXS, GT-Line, EX, GT", [auto("1.6L I4 Turbo"), auto("2.5L I4 Turbo")], "FWD, AWD"],
    ["Sportage", "KND", 2011, "suv", 28_000, "LX, EX, SX, X-Pro", [auto("2.5L I4"), hybrid("1.6L I4 Hybrid")], "FWD, AWD"],
    ["Sorento", "5XY", 2011, "largeSuv", 32_500, "LX, S, EX, SX", [auto("2.5L I4"), hybrid("1.6L I4 Hybrid")], "FWD, AWD"],
    ["Telluride", "5XY", 2020, "largeSuv", 37_500, "LX, S, EX, SX, SX Prestige", [auto("3.8L V6")], "FWD, AWD"],
    ["Soul", "KND", 2011, "hatchback", 21_000, "LX, S, EX, GT-Line", [cvt("2.0L I4")], "FWD"],
  ]),
  make("Subaru", 5, [
    ["Outback", "4S4", 2011, "wagon", 29_500, "Base, Premium, Onyx Edition, Limited, Touring", [cvt("2.5L H4"), cvt("2.4L H4 Turbo")], "AWD"],
    ["Forester", "JF2", 2011, "suv", 29_500, "Base, Premium, Sport, Limited, Touring", [cvt("2.5L H4")], "AWD"],
    ["Crosstrek", "JF2", 2013, "hatchback", 26_000, "Base, Premium, Sport, Limited", [cvt("2.0L H4"), cvt("2.5L H4")], "AWD"],
    ["Ascent", "4S4", 2019, "largeSuv", 36_500, "Base, Premium, Limited, Touring", [cvt("2.4L H4 Turbo")], "AWD"],
    ["WRX", "JF1", 2012, "sedan", 33_000, "Base, Premium, Limited", [manual("2.4L H4 Turbo"), cvt("2.4L H4 Turbo")], "AWD"],
  ]),
  make("Mazda", 4, [
    ["CX-5", "JM3", 2013, "suv", 29_500, "Select, Preferred, Premium, Signature", [auto("2.5L I4"), auto("2.5L I4 Turbo")], "AWD"],
    ["CX-90", "JM3", 2024, "largeSuv", 40_000, "Select, Preferred, Premium, Premium Plus", [auto("3.3L I6 Turbo"), plugIn("2.5L I4 Plug-in Hybrid")], "AWD"],
    ["Mazda3", "JM1", 2011, "sedan", 24_500, "Select, Preferred, Premium", [auto("2.5L I4"), manual("2.5L I4")], "FWD, AWD"],
    ["MX-5 Miata", "JM1", 2011, "roadster", 29_500, "Sport, Club, Grand Touring", [manual("2.0L I4"), auto("2.0L I4")], "RWD"],
  ]),
  make("Lexus", 4, [
    ["RX 350", "2T2", 2011, "suv", 49_500, "Base, Premium, F Sport, Luxury", [auto("2.4L I4 Turbo"), auto("3.5L V6")], "FWD, AWD"],
    ["ES 350", "58A", 2016, "sedan", 43_000, "Base, F Sport, Luxury, Ultra Luxury", [auto("3.5L V6")], "FWD"],
    ["NX 350h", "JTJ", 2022, "suv", 44_000, "Base, Premium, Luxury", [hybrid("2.5L I4 Hybrid")], "AWD"],
    ["GX 460", "JTJ", 2011, "largeSuv", 57_500, "Base, Premium, Luxury", [auto("4.6L V8")], "4WD"],
  ]),
  make("Acura", 2, [
    ["MDX", "5J8", 2014, "largeSuv", 50_500, "Base, Technology, A-Spec, Advance", [auto("3.5L V6")], "FWD, AWD"],
    ["RDX", "5J8", 2013, "suv", 44_500, "Base, Technology, A-Spec, Advance", [auto("2.0L I4 Turbo")], "AWD"],
    ["TLX", "19U", 2015, "sedan", 45_500, "Technology, A-Spec, Advance", [auto("2.0L I4 Turbo"), auto("3.0L V6 Turbo")], "FWD, AWD"],
  ]),
  make("Infiniti", 1, [
    ["QX60", "5N1", 2014, "largeSuv", 50_500, "Pure, Luxe, Sensory, Autograph", [auto("3.5L V6")], "FWD, AWD"],
    ["QX50", "3PC", 2019, "suv", 42_500, "Pure, Luxe, Sport, Autograph", [cvt("2.0L I4 Turbo")], "AWD"],
  ]),
  make("Mitsubishi", 2, [
    ["Outlander", "JA4", 2011, "largeSuv", 29_500, "ES, SE, SEL, Black Edition", [cvt("2.5L I4"), plugIn("2.4L I4 Plug-in Hybrid")], "FWD, AWD"],
    ["Mirage", "ML3", 2014, "hatchback", 17_500, "ES, LE, SE", [cvt("1.2L I3"), manual("1.2L I3")], "FWD"],
  ]),
  make("Genesis", 1, [
    ["G70", "KMT", 2019, "sedan", 42_500, "Standard, Advanced, Sport Prestige", [auto("2.5L I4 Turbo"), auto("3.3L V6 Turbo")], "RWD, AWD"],
    ["GV70", "KMU", 2022, "suv", 46_500, "Standard, Select, Advanced, Sport Prestige", [auto("2.5L I4 Turbo"), auto("3.5L V6 Turbo")], "AWD"],
  ]),
];
