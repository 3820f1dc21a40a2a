import type { Dealer } from "../../core/dealers/dealer.ts";
import { lottery } from "./random.ts";

/** The first part of a dealer's name. In each city, at most one dealer has it. */
export const PREFIXES: readonly string[] = [
  ...["Harbor", "Summit", "Lakeside", "Riverside", "Cedar Ridge", "Maple Leaf", "Golden Gate", "Silver Creek"],
  ...["Northgate", "Southpoint", "Eastway", "Westfield", "Heritage", "Liberty", "Patriot", "Pioneer", "Frontier"],
  ...["Crossroads", "Gateway", "Landmark", "Keystone", "Cornerstone", "Capitol", "Metro", "Downtown", "Uptown"],
  ...["Valley", "Canyon", "Prairie", "Mountain View", "Blue Sky", "Sunrise", "Sunset", "Evergreen", "Oakwood"],
  ...["Pine Hill", "Stonebridge", "Fairview", "Hillcrest", "Parkway", "Interstate", "Premier", "Classic", "Legacy"],
  ...["Miller", "Hanson", "Carver", "Delgado", "Whitfield", "Okafor", "Lindqvist", "Brennan", "Castellano", "Novak"],
  ...["Abernathy", "Takahashi", "Fitzgerald", "Moreau", "Sandoval", "Kowalski", "Pemberton", "Rosenthal", "Vance"],
  ...[
    "Bluebonnet",
    "Magnolia",
    "Copperfield",
    "Thunder Road",
    "Red Rock",
    "Granite",
    "Coastal",
    "Bayside",
    "Twin Oaks",
  ],
  ...["Independence", "Meridian", "Compass Point", "Beacon", "Anchor", "Lighthouse", "Milestone", "Trailhead"],
];

/** The last part of the name of a dealer that sells used vehicles of every make. */
export const USED_KINDS = ["Auto Sales", "Motors", "Auto Group", "Pre-Owned", "Car Company", "Auto Mall"] as const;

/** Street names, after a house number. */
export const STREETS = [
  ...[
    "Commerce Parkway",
    "Main Street",
    "Auto Center Drive",
    "Industrial Boulevard",
    "Market Street",
    "Lincoln Avenue",
  ],
  ...["Washington Boulevard", "Highway 30", "Route 9", "Airport Road", "Frontage Road", "Union Avenue", "Grand Avenue"],
  ...["Broadway", "Jefferson Street", "College Avenue", "Mill Road", "Park Avenue", "Dealership Row", "Quay Street"],
] as const;

type Hours = NonNullable<Dealer["hours"]>;

const week = (weekdays: string, saturday: string, sunday: string): Hours => ({
  monday: weekdays,
  tuesday: weekdays,
  wednesday: weekdays,
  thursday: weekdays,
  friday: weekdays,
  saturday,
  sunday,
});

/** Opening hours. Some dealers have none. */
export const drawHours = lottery<Hours | null>([
  [week("9:00-20:00", "9:00-18:00", "closed"), 4],
  [week("9:00-19:00", "9:00-17:00", "11:00-17:00"), 3],
  [week("8:30-18:00", "9:00-16:00", "closed"), 3],
  [week("10:00-18:00", "10:00-15:00", "closed"), 1],
  [null, 2],
]);

/** The social networks that dealers use. */
export const NETWORKS = ["facebook", "instagram", "youtube", "tiktok"] as const;

/** Descriptions of dealers. They follow the name and the city. */
export const DESCRIPTIONS = [
  "has served drivers here for more than thirty years.",
  "is family owned and keeps its prices on the windshield.",
  "offers new and pre-owned vehicles, service and parts under one roof.",
  "inspects every vehicle on 150 points before it goes on sale.",
  "delivers within 100 miles and takes trade-ins of any make.",
  "finances on site, with first-time buyers welcome.",
] as const;
