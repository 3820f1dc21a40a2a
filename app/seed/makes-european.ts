import { auto, electric, type Make, make, manual, plugIn } from "./model.ts";

/** Makes from Europe. */
// biome-ignore format: a table is read by its rows.
export const EUROPEAN: readonly Make[] = [
  make("Volkswagen", 4, [
    ["Jetta", "3VW", 2011, "sedan", 23_000, "S, Sport, SE, SEL", [auto("1.5L I4 Turbo"), manual("1.5L I4 Turbo")], "FWD"],
    ["Tiguan", "3VV", 2018, "suv", 29_500, "S, SE, SE R-Line, SEL R-Line", [auto("2.0L I4 Turbo")], "FWD, AWD"],
    ["Atlas", "1V2", 2018, "largeSuv", 39_000, "SE, SE with Technology, SEL, SEL Premium R-Line", [auto("2.0L I4 Turbo"), auto("3.6L V6")], "FWD, AWD"],
    ["Golf GTI", "WVW", 2011, "hatchback", 32_500, "S, SE, Autobahn", [auto("2.0L I4 Turbo"), manual("2.0L I4 Turbo")], "FWD"],
    ["ID.4", "1V2", 2023, "suv", 40_500, "Standard, Pro, Pro S", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
  ]),
  make("BMW", 4, [
    ["330i", "3MW", 2020, "sedan", 45_500, "Base, Sport Line, M Sport", [auto("2.0L I4 Turbo")], "RWD, AWD"],
    ["530i", "WBA", 2011, "sedan", 58_500, "Base, Luxury Line, M Sport", [auto("2.0L I4 Turbo")], "RWD, AWD"],
    ["X3", "5UX", 2011, "suv", 48_500, "Base, xLine, M Sport", [auto("2.0L I4 Turbo"), auto("3.0L I6 Turbo")], "AWD"],
    ["X5", "5UX", 2011, "suv", 66_500, "Base, xLine, M Sport", [auto("3.0L I6 Turbo"), plugIn("3.0L I6 Plug-in Hybrid"), auto("4.4L V8 Turbo")], "AWD"],
    ["i4", "WBY", 2022, "sedan", 53_500, "Base, Sport Line, M Sport", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
  ]),
  make("Mercedes-Benz", 4, [
    ["C 300", "W1K", 2022, "sedan", 47_500, "Premium, Exclusive, Pinnacle", [auto("2.0L I4 Turbo")], "RWD, AWD"],
    ["E 350", "W1K", 2021, "sedan", 62_500, "Premium, Exclusive, Pinnacle", [auto("2.0L I4 Turbo")], "RWD, AWD"],
    ["GLC 300", "W1N", 2020, "suv", 49_500, "Premium, Exclusive, Pinnacle", [auto("2.0L I4 Turbo")], "RWD, AWD"],
    ["GLE 350", "4JG", 2016, "suv", 62_500, "Premium, Exclusive, Pinnacle", [auto("2.0L I4 Turbo")], "RWD, AWD"],
  ]),
  make("Audi", 3, [
    ["A4", "WAU", 2011, "sedan", 42_500, "Premium, Premium Plus, Prestige", [auto("2.0L I4 Turbo")], "AWD"],
    ["A6", "WAU", 2011, "sedan", 58_500, "Premium, Premium Plus, Prestige", [auto("2.0L I4 Turbo"), auto("3.0L V6 Turbo")], "AWD"],
    ["Q5", "WA1", 2011, "suv", 46_500, "Premium, Premium Plus, Prestige", [auto("2.0L I4 Turbo"), plugIn("2.0L I4 Plug-in Hybrid")], "AWD"],
    ["Q7", "WA1", 2011, "largeSuv", 61_500, "Premium, Premium Plus, Prestige", [auto("2.0L I4 Turbo"), auto("3.0L V6 Turbo")], "AWD"],
  ]),
  make("Volvo", 2, [
    ["XC60", "YV4", 2011, "suv", 47_500, "Core, Plus, Ultimate", [auto("2.0L I4 Turbo"), plugIn("2.0L I4 Plug-in Hybrid")], "AWD"],
    ["XC90", "YV4", 2011, "largeSuv", 58_500, "Core, Plus, Ultimate", [auto("2.0L I4 Turbo"), plugIn("2.0L I4 Plug-in Hybrid")], "AWD"],
    ["S60", "7JR", 2019, "sedan", 43_500, "Core, Plus, Ultimate", [auto("2.0L I4 Turbo")], "FWD, AWD"],
  ]),
  make("Porsche", 1, [
    ["Macan", "WP1", 2015, "suv", 63_500, "Base, T", [auto("2.0L I4 Turbo")], "AWD"],
    ["911 Carrera", "WP0", 2011, "coupe", 114_500, "Base, T, S, GTS", [auto("3.0L H6 Turbo"), manual("3.0L H6 Turbo")], "RWD, AWD"],
  ]),
  make("Land Rover", 1, [
    ["Range Rover Sport", "SAL", 2011, "suv", 84_500, "SE, Dynamic SE, Autobiography", [auto("3.0L I6 Turbo"), plugIn("3.0L I6 Plug-in Hybrid")], "4WD"],
    ["Defender 110", "SAL", 2020, "suv", 62_500, "S, X-Dynamic SE, X", [auto("2.0L I4 Turbo"), auto("3.0L I6 Turbo")], "4WD"],
  ]),
  make("MINI", 1, [
    ["Cooper", "WMW", 2011, "hatchback", 29_000, "Classic, Signature, Iconic", [auto("1.5L I3 Turbo"), auto("2.0L I4 Turbo"), manual("1.5L I3 Turbo")], "FWD"],
    ["Countryman", "WMZ", 2017, "suv", 35_500, "Classic, Signature, Iconic", [auto("2.0L I4 Turbo")], "AWD"],
  ]),
];
