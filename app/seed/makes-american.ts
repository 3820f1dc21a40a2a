import { auto, diesel, electric, hybrid, type Make, make, manual, plugIn } from "./model.ts";

/** Makes from North America. */
// biome-ignore format: a table is read by its rows.
export const AMERICAN: readonly Make[] = [
  make("Ford", 13, [
    ["F-150", "1FT", 2011, "truck", 39_000, "XL, XLT, Lariat, King Ranch, Platinum", [auto("2.7L V6 Turbo"), auto("3.5L V6 Turbo"), auto("5.0L V8"), hybrid("3.5L V6 Hybrid")], "RWD, 4WD"],
    ["F-250 Super Duty", "1FT", 2011, "truck", 46_000, "XL, XLT, Lariat, King Ranch, Platinum", [auto("6.8L V8"), auto("7.3L V8"), diesel("6.7L V8 Turbo Diesel")], "RWD, 4WD"],
    ["Ranger", "1FT", 2019, "truck", 33_500, "XL, XLT, Lariat", [auto("2.3L I4 Turbo")], "RWD, 4WD"],
    ["Maverick", "3FT", 2022, "truck", 27_500, "XL, XLT, Lariat", [hybrid("2.5L I4 Hybrid"), auto("2.0L I4 Turbo")], "FWD, AWD"],
    ["Explorer", "1FM", 2011, "largeSuv", 39_500, "Active, XLT, ST-Line, ST, Platinum", [auto("2.3L I4 Turbo"), auto("3.0L V6 Turbo")], "RWD, 4WD"],
    ["Escape", "1FM", 2013, "suv", 29_500, "Active, ST-Line, Platinum", [auto("1.5L I3 Turbo"), hybrid("2.5L I4 Hybrid"), plugIn("2.5L I4 Plug-in Hybrid")], "FWD, AWD"],
    ["Bronco", "1FM", 2021, "suv", 39_500, "Base, Big Bend, Outer Banks, Badlands, Wildtrak", [auto("2.3L I4 Turbo"), auto("2.7L V6 Turbo"), manual("2.3L I4 Turbo")], "4WD"],
    ["Bronco Sport", "3FM", 2021, "suv", 30_500, "Big Bend, Heritage, Outer Banks, Badlands", [auto("1.5L I3 Turbo"), auto("2.0L I4 Turbo")], "4WD"],
    ["Mustang", "1FA", 2011, "coupe", 31_500, "Fastback, Fastback Premium, Performance", [auto("2.3L I4 Turbo"), auto("5.0L V8"), manual("5.0L V8")], "RWD"],
    ["Mustang Mach-E", "3FM", 2021, "suv", 40_000, "Select, Premium, GT", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
  ]),
  make("Chevrolet", 12, [
    ["Silverado 1500", "1GC", 2011, "truck", 38_000, "WT, Custom, LT, RST, LTZ, High Country", [auto("2.7L I4 Turbo"), auto("5.3L V8"), auto("6.2L V8"), diesel("3.0L I6 Turbo Diesel")], "RWD, 4WD"],
    ["Colorado", "1GC", 2015, "truck", 32_500, "WT, LT, Trail Boss, Z71, ZR2", [auto("2.7L I4 Turbo")], "RWD, 4WD"],
    ["Equinox", "2GN", 2011, "suv", 29_500, "LS, LT, RS, ACTIV", [auto("1.5L I4 Turbo")], "FWD, AWD"],
    ["Traverse", "1GN", 2011, "largeSuv", 40_000, "LS, LT, Z71, RS", [auto("2.5L I4 Turbo"), auto("3.6L V6")], "FWD, AWD"],
    ["Tahoe", "1GN", 2011, "largeSuv", 59_500, "LS, LT, RST, Z71, Premier, High Country", [auto("5.3L V8"), auto("6.2L V8"), diesel("3.0L I6 Turbo Diesel")], "RWD, 4WD"],
    ["Malibu", "1G1", 2011, "sedan", 26_500, "LS, RS, LT, 2LT", [auto("1.5L I4 Turbo")], "FWD"],
    ["Corvette", "1G1", 2011, "coupe", 68_500, "1LT, 2LT, 3LT", [auto("6.2L V8")], "RWD"],
    ["Trax", "KL7", 2015, "suv", 21_500, "LS, LT, RS, ACTIV", [auto("1.2L I3 Turbo")], "FWD"],
    ["Bolt EUV", "1G1", 2022, "hatchback", 28_500, "LT, Premier", [electric("Single Motor", "FWD")], "FWD"],
  ]),
  make("GMC", 5, [
    ["Sierra 1500", "1GT", 2011, "truck", 39_500, "Pro, SLE, Elevation, SLT, AT4, Denali", [auto("2.7L I4 Turbo"), auto("5.3L V8"), auto("6.2L V8")], "RWD, 4WD"],
    ["Acadia", "1GK", 2011, "largeSuv", 43_500, "Elevation, AT4, Denali", [auto("2.5L I4 Turbo"), auto("3.6L V6")], "FWD, AWD"],
    ["Yukon", "1GK", 2011, "largeSuv", 63_500, "SLE, SLT, AT4, Denali", [auto("5.3L V8"), auto("6.2L V8")], "RWD, 4WD"],
    ["Terrain", "3GK", 2018, "suv", 31_000, "SLE, SLT, AT4, Denali", [auto("1.5L I4 Turbo")], "FWD, AWD"],
  ]),
  make("Jeep", 6, [
    ["Wrangler", "1C4", 2012, "suv", 35_500, "Sport, Willys, Sahara, Rubicon", [auto("3.6L V6"), manual("3.6L V6"), auto("2.0L I4 Turbo"), plugIn("2.0L I4 Plug-in Hybrid")], "4WD"],
    ["Grand Cherokee", "1C4", 2012, "suv", 40_500, "Laredo, Altitude, Limited, Overland, Summit", [auto("3.6L V6"), auto("5.7L V8"), plugIn("2.0L I4 Plug-in Hybrid")], "RWD, 4WD"],
    ["Compass", "3C4", 2017, "suv", 28_500, "Sport, Latitude, Limited, Trailhawk", [auto("2.0L I4 Turbo")], "4WD"],
    ["Gladiator", "1C6", 2020, "truck", 40_500, "Sport, Willys, Mojave, Rubicon", [auto("3.6L V6"), manual("3.6L V6")], "4WD"],
  ]),
  make("Ram", 5, [
    ["1500", "1C6", 2012, "truck", 41_500, "Tradesman, Big Horn, Laramie, Rebel, Limited", [auto("3.6L V6"), auto("5.7L V8")], "RWD, 4WD"],
    ["2500", "3C6", 2012, "truck", 47_500, "Tradesman, Big Horn, Laramie, Power Wagon, Limited", [auto("6.4L V8"), diesel("6.7L I6 Turbo Diesel")], "RWD, 4WD"],
  ]),
  make("Dodge", 3, [
    ["Charger", "2C3", 2012, "sedan", 35_000, "SXT, GT, Daytona", [auto("3.6L V6"), auto("5.7L V8"), auto("6.4L V8")], "RWD, AWD"],
    ["Challenger", "2C3", 2012, "coupe", 33_500, "SXT, GT, Shaker", [auto("3.6L V6"), auto("5.7L V8"), manual("6.4L V8")], "RWD"],
    ["Durango", "1C4", 2012, "largeSuv", 42_500, "SXT, GT, Citadel", [auto("3.6L V6"), auto("5.7L V8")], "RWD, AWD"],
  ]),
  make("Chrysler", 1, [
    ["Pacifica", "2C4", 2017, "minivan", 41_500, "Touring L, Limited, Pinnacle", [auto("3.6L V6"), plugIn("3.6L V6 Plug-in Hybrid")], "FWD, AWD"],
  ]),
  make("Buick", 2, [
    ["Enclave", "5GA", 2011, "largeSuv", 46_500, "Preferred, Sport Touring, Avenir", [auto("3.6L V6"), auto("2.5L I4 Turbo")], "FWD, AWD"],
    ["Encore GX", "KL4", 2020, "suv", 27_000, "Preferred, Sport Touring, Avenir", [auto("1.3L I3 Turbo")], "FWD, AWD"],
    ["Envision", "LRB", 2016, "suv", 37_500, "Preferred, Sport Touring, Avenir", [auto("2.0L I4 Turbo")], "FWD, AWD"],
  ]),
  make("Cadillac", 2, [
    ["Escalade", "1GY", 2011, "largeSuv", 83_500, "Luxury, Premium Luxury, Sport, Platinum", [auto("6.2L V8")], "RWD, 4WD"],
    ["XT5", "1GY", 2017, "suv", 46_000, "Luxury, Premium Luxury, Sport", [auto("2.0L I4 Turbo"), auto("3.6L V6")], "FWD, AWD"],
    ["CT5", "1G6", 2020, "sedan", 41_000, "Luxury, Premium Luxury, Sport", [auto("2.0L I4 Turbo"), auto("3.0L V6 Turbo")], "RWD, AWD"],
  ]),
  make("Lincoln", 1, [
    ["Aviator", "5LM", 2020, "largeSuv", 59_500, "Premiere, Reserve, Black Label", [auto("3.0L V6 Turbo")], "RWD, AWD"],
    ["Navigator", "5LM", 2011, "largeSuv", 84_500, "Premiere, Reserve, Black Label", [auto("3.5L V6 Turbo")], "RWD, 4WD"],
    ["Nautilus", "2LM", 2019, "suv", 50_500, "Premiere, Reserve, Black Label", [auto("2.0L I4 Turbo"), hybrid("2.0L I4 Hybrid")], "AWD"],
  ]),
  make("Tesla", 4, [
    ["Model 3", "5YJ", 2018, "sedan", 40_000, "Standard Range, Long Range", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
    ["Model Y", "7SA", 2022, "suv", 45_000, "Standard Range, Long Range", [electric("Single Motor", "RWD"), electric("Dual Motor", "AWD")], "RWD, AWD"],
    ["Model S", "5YJ", 2013, "sedan", 75_000, "Long Range, Plaid", [electric("Dual Motor", "AWD")], "AWD"],
    ["Model X", "7SA", 2022, "largeSuv", 80_000, "Long Range, Plaid", [electric("Dual Motor", "AWD")], "AWD"],
  ]),
];
