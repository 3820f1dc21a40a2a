// Made from the OpenAPI document by `bun run client`. Do not change it by hand.
// From MdOpJ4YT2tlAnxTrOigtubvQZZ_ZiUWu_bw2tSJEdIQ: ZQuq39ZbGbaIRALkGopRwv4g3a4hvDqA1kmO5nosw-8.

export interface components {
    schemas: {
        UnderstoodWord: {
            /** @description The word as it was sent. */
            word: string;
            as: ("year" | "make" | "model" | "trim" | "exterior_color" | "interior_color" | "body_style" | "fuel_type" | "transmission" | "drivetrain" | "condition" | "engine" | "stock_number" | "stock_number_ending" | "vin" | "vin_ending" | "title" | "features" | "description") | null;
            /** @description What most of these vehicles have in the field; of an ending or a long text, the word. */
            value: string | null;
            /** @description How many vehicles there are without this word. Present if no vehicle has all words; `null` for all but the last four. */
            total_without?: number | null;
        };
        VehiclePageMeta: {
            total: number;
            /** @description Present if the result is limited to one dealer. */
            dealer_id?: number;
            timestamp: string;
            /** @description Send it as `cursor` to continue the list exactly after this page. */
            next_cursor: string | null;
            /** @description The words of `q` in their order. Present with `include=understood`. */
            understood?: components["schemas"]["UnderstoodWord"][];
            /** @description True if the result was limited to the key's dealer. */
            filter_applied: boolean;
            /** @description The SQL statement that was run, with placeholders. */
            sql: string;
        };
        Image: {
            id: number;
            vehicle_id: number;
            image_url: string;
            is_primary: boolean;
            display_order: number;
            /** @description What the photo shows, for people who cannot see it. */
            alt: string | null;
            created_at: string;
            /** @description Of `public`, in pixels. Present if this service holds the photo, like the next two. */
            width?: number;
            height?: number;
            /** @description A data URL of a small blurred picture, to be shown until the photo is there. */
            placeholder?: string;
            /** @description Present if the image is on the image delivery service. */
            delivery_id?: string;
            variants?: {
                public: string;
                thumbnail: string;
                medium: string;
                large: string;
            };
        };
        Vehicle: {
            id: number;
            dealer_id: number;
            make: string;
            model: string;
            /** @description From 1886 to two years after the current one. */
            year: number;
            /** @description In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly. */
            price: number;
            /** @description Default on creation: made of the year, make and model. */
            title: string | null;
            trim: string | null;
            mileage: number | null;
            exterior_color: string | null;
            interior_color: string | null;
            vin: string | null;
            stock_number: string | null;
            description: string | null;
            /** @description A list separated by commas. */
            features: string | null;
            /** @description Default: available. */
            status: "available" | "sold" | "pending";
            featured: 0 | 1;
            fuel_type: string | null;
            transmission: string | null;
            engine: string | null;
            drivetrain: string | null;
            body_style: string | null;
            condition: string | null;
            seats: number | null;
            doors: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered: string | null;
            warranty: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range: number | null;
            /** @description In kWh. */
            battery_capacity: number | null;
            charge_port: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption: number | null;
            /** @description In g/km, combined. */
            co2_emissions: number | null;
            emissions_standard: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            listed_at: string;
            sold_at: string | null;
            publish: 0 | 1;
            /** @description The price before its last change. */
            previous_price: number | null;
            price_changed_at: string | null;
            created_at: string;
            updated_at: string;
            /** @description With `include=names`: the name of the record that `dealer_id` refers to. */
            dealer_name?: string | null;
            primary_image?: components["schemas"]["Image"] | null;
            /** @description The number of images. Present with `include=primary_image`. */
            image_count?: number;
            /** @description The images, the primary one first and the others in their order. Present with `include=images`. */
            images?: components["schemas"]["Image"][];
            /** @description The change of it, in answers of the portal only. */
            change_id?: string;
        };
        VehiclePage: {
            meta: components["schemas"]["VehiclePageMeta"];
            vehicles: components["schemas"]["Vehicle"][];
        };
        ImageOfVehicle: {
            image_url: string;
            /** @description Default: true for a vehicle's first image. */
            is_primary?: boolean | null;
            /** @description Default: one past the highest. */
            display_order?: number | null;
            /** @description What the photo shows, for people who cannot see it. */
            alt?: string | null;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly vehicle_id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly delivery_id?: unknown;
            /** @description Accepted and ignored. */
            readonly variants?: unknown;
            /** @description Accepted and ignored. */
            readonly width?: unknown;
            /** @description Accepted and ignored. */
            readonly height?: unknown;
            /** @description Accepted and ignored. */
            readonly placeholder?: unknown;
        };
        NewVehicle: {
            /** @description The dealer that owns the vehicle. */
            dealer_id?: number | null;
            make: string;
            model: string;
            /** @description From 1886 to two years after the current one. */
            year: number;
            /** @description In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly. */
            price: number;
            /** @description Default on creation: made of the year, make and model. */
            title?: string | null;
            trim?: string | null;
            mileage?: number | null;
            exterior_color?: string | null;
            interior_color?: string | null;
            vin?: string | null;
            stock_number?: string | null;
            description?: string | null;
            /** @description A list separated by commas. */
            features?: string | null;
            /** @description Default: available. */
            status?: "available" | "sold" | "pending";
            /** @description Answered as 0 or 1. Default: false. */
            featured?: true | false | 1 | 0;
            fuel_type?: string | null;
            transmission?: string | null;
            engine?: string | null;
            drivetrain?: string | null;
            body_style?: string | null;
            condition?: string | null;
            seats?: number | null;
            doors?: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners?: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered?: string | null;
            warranty?: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp?: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range?: number | null;
            /** @description In kWh. */
            battery_capacity?: number | null;
            charge_port?: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption?: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption?: number | null;
            /** @description In g/km, combined. */
            co2_emissions?: number | null;
            emissions_standard?: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage?: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            /** @description When the vehicle came to the lot. Default: when it was created, or moved to this dealer. */
            listed_at?: string | null;
            /** @description When a sold vehicle was sold. It is set when the status becomes `sold`, unless the request sends another time. */
            sold_at?: string | null;
            /** @description Whether feeds for listing sites may contain the vehicle. Answered as 0 or 1. Default: true. */
            publish?: true | false | 1 | 0;
            /** @description What it was sold for, beside `status: sold`. It is kept with the sale and is not a field of the vehicle: `GET /api/vehicles/:id/sale` answers it. Without it, or with `null`, nothing is entered. */
            sold_price?: number | null;
            /** @description All images of the vehicle in their order: addresses, or images as an answer has them. Images whose address stays keep their id. The first is the primary one, unless another has `is_primary`. */
            images?: (string | components["schemas"]["ImageOfVehicle"])[] | null;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly previous_price?: unknown;
            /** @description Accepted and ignored. */
            readonly price_changed_at?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly primary_image?: unknown;
            /** @description Accepted and ignored. */
            readonly image_count?: unknown;
            /** @description Accepted and ignored. */
            readonly change_id?: unknown;
        };
        VehicleChanges: {
            /** @description The dealer that owns the vehicle. */
            dealer_id?: number;
            make?: string;
            model?: string;
            /** @description From 1886 to two years after the current one. */
            year?: number;
            /** @description In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly. */
            price?: number;
            /** @description Default on creation: made of the year, make and model. */
            title?: string | null;
            trim?: string | null;
            mileage?: number | null;
            exterior_color?: string | null;
            interior_color?: string | null;
            vin?: string | null;
            stock_number?: string | null;
            description?: string | null;
            /** @description A list separated by commas. */
            features?: string | null;
            /** @description Default: available. */
            status?: "available" | "sold" | "pending";
            /** @description Answered as 0 or 1. Default: false. */
            featured?: true | false | 1 | 0;
            fuel_type?: string | null;
            transmission?: string | null;
            engine?: string | null;
            drivetrain?: string | null;
            body_style?: string | null;
            condition?: string | null;
            seats?: number | null;
            doors?: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners?: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered?: string | null;
            warranty?: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp?: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range?: number | null;
            /** @description In kWh. */
            battery_capacity?: number | null;
            charge_port?: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption?: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption?: number | null;
            /** @description In g/km, combined. */
            co2_emissions?: number | null;
            emissions_standard?: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage?: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            /** @description When the vehicle came to the lot. Default: when it was created, or moved to this dealer. */
            listed_at?: string | null;
            /** @description When a sold vehicle was sold. It is set when the status becomes `sold`, unless the request sends another time. */
            sold_at?: string | null;
            /** @description Whether feeds for listing sites may contain the vehicle. Answered as 0 or 1. Default: true. */
            publish?: true | false | 1 | 0;
            /** @description What it was sold for, beside `status: sold`. It is kept with the sale and is not a field of the vehicle: `GET /api/vehicles/:id/sale` answers it. Without it, or with `null`, nothing is entered. */
            sold_price?: number | null;
            /** @description Beside a status that ends a sale: `true` undoes the sale, `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now unless `listed_at` says when. Default: `true` for `resale_days` (a setting) after the sale, then `false`. */
            undo_sale?: boolean;
            /** @description All images of the vehicle in their order: addresses, or images as an answer has them. Images whose address stays keep their id. The first is the primary one, unless another has `is_primary`. */
            images?: (string | components["schemas"]["ImageOfVehicle"])[] | null;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly previous_price?: unknown;
            /** @description Accepted and ignored. */
            readonly price_changed_at?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly primary_image?: unknown;
            /** @description Accepted and ignored. */
            readonly image_count?: unknown;
            /** @description Accepted and ignored. */
            readonly change_id?: unknown;
        };
        Done: {
            /** @constant */
            success: true;
            message: string;
        };
        /** @description The filters of the list of vehicles. Without filters, all vehicles that the caller can access. */
        VehicleFilter: {
            /** @description Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealer_id?: number;
            status?: ("available" | "sold" | "pending") | ("available" | "sold" | "pending")[];
            stage?: ("due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale") | ("due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale")[];
            /** @description If true, only featured vehicles. If false, only others. */
            featured?: boolean;
            make?: string | string[];
            model?: string | string[];
            /** @description Only vehicles of this year. */
            year?: number;
            /** @description The lowest price. */
            min_price?: number;
            /** @description The highest price. */
            max_price?: number;
            /** @description The first year. */
            min_year?: number;
            /** @description The last year. */
            max_year?: number;
            /** @description The lowest mileage. Vehicles without a mileage do not match. */
            min_mileage?: number;
            /** @description The highest mileage. Vehicles without a mileage do not match. */
            max_mileage?: number;
            /** @description The shortest range on the battery alone. Vehicles without a range do not match. */
            min_electric_range?: number;
            /** @description The longest range on the battery alone. Vehicles without a range do not match. */
            max_electric_range?: number;
            /** @description Only vehicles with this number of doors. */
            doors?: number;
            /** @description The minimum of whole days on the lot, from `listed_at` to `sold_at`, or to now. */
            min_days_on_lot?: number;
            /** @description The maximum of whole days on the lot, from `listed_at` to `sold_at`, or to now. */
            max_days_on_lot?: number;
            body_style?: string | string[];
            fuel_type?: string | string[];
            transmission?: string | string[];
            drivetrain?: string | string[];
            condition?: string | string[];
            exterior_color?: string | string[];
            interior_color?: string | string[];
            trim?: string | string[];
            /** @description The whole value. Case does not matter. */
            vin?: string;
            /** @description The whole value. Case does not matter. */
            stock_number?: string;
            /** @description Only vehicles with all these words, of which there may be up to 8. Every word must begin a word of the year, make, model, trim, title, stock number, VIN, body style, fuel, transmission, drivetrain, engine, colours, condition, features or description, without regard to case and accents. `f-150` finds `F-150`, `F150` and `F 150`. In makes, models and trims neighbouring words count as one, too: `rx350` and `rx 350` find `RX 350` and `RX350`, `landrover` finds `Land Rover`. Other names of a make find it: `vw` finds `Volkswagen`, and the reverse. The last 6 and the last 8 characters of a VIN are also words. A word of three or more characters with a digit, and two digits beside another word, are also found at the end of stock numbers: `red toyota 42`. */
            q?: string;
            /** @description If true, only vehicles with images. If false, only those without. */
            has_images?: boolean;
            /** @description Only vehicles that were created at this time or later. */
            created_since?: string;
            /** @description Only vehicles that were created or changed at this time or later. */
            updated_since?: string;
            /** @description Only vehicles that were sold at this time or later. */
            sold_since?: string;
            /** @description Only vehicles of dealers near this ZIP code or `latitude,longitude`. Needs `radius`. */
            near?: string;
            /** @description The maximum distance of dealers from `near`. */
            radius?: number;
            /** @description The unit of `radius`: miles or kilometres. Default: mi. */
            radius_unit?: "mi" | "km";
        };
        PriceByAmount: {
            /** @description The amount to add to the price. A negative amount lowers it. */
            add: number;
            /** @description Rounds the new price to the nearest multiple of 10 or 100, or to the nearest price whose last two digits before the decimals are 95 or 99. A price that would move the other way stays as it is. */
            rounding?: "to_10" | "to_100" | "ending_95" | "ending_99";
            /** @description No price gets lower than this; one that is lower already stays as it is. */
            never_below?: number;
        };
        PriceByPercent: {
            /** @description The percentage to add to the price, with up to 4 decimals. A negative one lowers it. The new price is rounded to cents, half a cent up. */
            percent: number;
            /** @description Rounds the new price to the nearest multiple of 10 or 100, or to the nearest price whose last two digits before the decimals are 95 or 99. A price that would move the other way stays as it is. */
            rounding?: "to_10" | "to_100" | "ending_95" | "ending_99";
            /** @description No price gets lower than this; one that is lower already stays as it is. */
            never_below?: number;
        };
        /** @description The same fields as in a PUT. The price may also be given as a difference. */
        BulkVehicleChanges: {
            /** @description The dealer that owns the vehicle. */
            dealer_id?: number;
            make?: string;
            model?: string;
            /** @description From 1886 to two years after the current one. */
            year?: number;
            price?: number | components["schemas"]["PriceByAmount"] | components["schemas"]["PriceByPercent"];
            /** @description Default on creation: made of the year, make and model. */
            title?: string | null;
            trim?: string | null;
            mileage?: number | null;
            exterior_color?: string | null;
            interior_color?: string | null;
            vin?: string | null;
            stock_number?: string | null;
            description?: string | null;
            /** @description A list separated by commas. */
            features?: string | null;
            /** @description Default: available. */
            status?: "available" | "sold" | "pending";
            /** @description Answered as 0 or 1. Default: false. */
            featured?: true | false | 1 | 0;
            fuel_type?: string | null;
            transmission?: string | null;
            engine?: string | null;
            drivetrain?: string | null;
            body_style?: string | null;
            condition?: string | null;
            seats?: number | null;
            doors?: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners?: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered?: string | null;
            warranty?: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp?: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range?: number | null;
            /** @description In kWh. */
            battery_capacity?: number | null;
            charge_port?: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption?: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption?: number | null;
            /** @description In g/km, combined. */
            co2_emissions?: number | null;
            emissions_standard?: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage?: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            /** @description When the vehicle came to the lot. Default: when it was created, or moved to this dealer. */
            listed_at?: string | null;
            /** @description When a sold vehicle was sold. It is set when the status becomes `sold`, unless the request sends another time. */
            sold_at?: string | null;
            /** @description Whether feeds for listing sites may contain the vehicle. Answered as 0 or 1. Default: true. */
            publish?: true | false | 1 | 0;
            /** @description What it was sold for, beside `status: sold`. It is kept with the sale and is not a field of the vehicle: `GET /api/vehicles/:id/sale` answers it. Without it, or with `null`, nothing is entered. */
            sold_price?: number | null;
            /** @description Beside a status that ends a sale: `true` undoes the sale, `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now unless `listed_at` says when. Default: `true` for `resale_days` (a setting) after the sale, then `false`. */
            undo_sale?: boolean;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly previous_price?: unknown;
            /** @description Accepted and ignored. */
            readonly price_changed_at?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly primary_image?: unknown;
            /** @description Accepted and ignored. */
            readonly image_count?: unknown;
            /** @description Accepted and ignored. */
            readonly change_id?: unknown;
        };
        BulkChange: {
            /** @description The ids of the vehicles. Duplicates are ignored. */
            ids?: number[];
            /** @description With `ids`: the `updated_at` of each vehicle, in the same order. Vehicles that have changed since then fail. */
            versions?: string[];
            /** @description With `filter`: the number of vehicles that you expect it to match. If it matches another number, nothing is changed. */
            expected_total?: number;
            /** @description A quality rule whose violations are mended, instead of `changes`: `vin_placeholder` takes such VINs away, `dates_swapped` exchanges day and month of the listed date. Vehicles that do not break it are unchanged. */
            fix?: "vin_placeholder" | "dates_swapped";
            /**
             * @description Removes the vehicles. Send it instead of `changes`.
             * @constant
             */
            remove?: true;
            /** @description If true, nothing is changed, and the answer tells what would happen. Default: false. */
            dry_run?: boolean;
            filter?: components["schemas"]["VehicleFilter"];
            changes?: components["schemas"]["BulkVehicleChanges"];
        };
        BulkIssue: {
            path: string;
            message: string;
        };
        BulkResult: {
            id: number;
            outcome: "updated" | "unchanged" | "removed" | "failed" | "not_found";
            /** @description The reasons of a failure. Empty for other outcomes. */
            issues: components["schemas"]["BulkIssue"][];
        };
        BulkResults: {
            dry_run: boolean;
            total: number;
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
            results: components["schemas"]["BulkResult"][];
        };
        /** @description An item that matches no vehicle must be a valid body of a POST, other items a valid body of a PUT. Read-only fields of a vehicle are accepted and ignored. */
        BatchItem: {
            /** @description The dealer that owns the vehicle. */
            dealer_id?: number;
            make?: string;
            model?: string;
            /** @description From 1886 to two years after the current one. */
            year?: number;
            /** @description In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly. */
            price?: number;
            /** @description Default on creation: made of the year, make and model. */
            title?: string | null;
            trim?: string | null;
            mileage?: number | null;
            exterior_color?: string | null;
            interior_color?: string | null;
            vin?: string | null;
            stock_number?: string | null;
            description?: string | null;
            /** @description A list separated by commas. */
            features?: string | null;
            /** @description Default: available. */
            status?: "available" | "sold" | "pending";
            /** @description Answered as 0 or 1. Default: false. */
            featured?: true | false | 1 | 0;
            fuel_type?: string | null;
            transmission?: string | null;
            engine?: string | null;
            drivetrain?: string | null;
            body_style?: string | null;
            condition?: string | null;
            seats?: number | null;
            doors?: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners?: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered?: string | null;
            warranty?: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp?: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range?: number | null;
            /** @description In kWh. */
            battery_capacity?: number | null;
            charge_port?: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption?: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption?: number | null;
            /** @description In g/km, combined. */
            co2_emissions?: number | null;
            emissions_standard?: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage?: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            /** @description When the vehicle came to the lot. Default: when it was created, or moved to this dealer. */
            listed_at?: string | null;
            /** @description When a sold vehicle was sold. It is set when the status becomes `sold`, unless the request sends another time. */
            sold_at?: string | null;
            /** @description Whether feeds for listing sites may contain the vehicle. Answered as 0 or 1. Default: true. */
            publish?: true | false | 1 | 0;
            /** @description What it was sold for, beside `status: sold`. It is kept with the sale and is not a field of the vehicle: `GET /api/vehicles/:id/sale` answers it. Without it, or with `null`, nothing is entered. */
            sold_price?: number | null;
            /** @description Beside a status that ends a sale: `true` undoes the sale, `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now unless `listed_at` says when. Default: `true` for `resale_days` (a setting) after the sale, then `false`. */
            undo_sale?: boolean;
            /** @description All images of the vehicle in their order: addresses, or images as an answer has them. Images whose address stays keep their id. The first is the primary one, unless another has `is_primary`. */
            images?: (string | components["schemas"]["ImageOfVehicle"])[] | null;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly previous_price?: unknown;
            /** @description Accepted and ignored. */
            readonly price_changed_at?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly primary_image?: unknown;
            /** @description Accepted and ignored. */
            readonly image_count?: unknown;
            /** @description Accepted and ignored. */
            readonly change_id?: unknown;
        };
        VehicleBatch: {
            items: components["schemas"]["BatchItem"][];
            /** @description How the vehicle of an item is found. `auto` uses the VIN if the item has one, and otherwise the stock number. Default: auto. */
            match?: "auto" | "vin" | "stock_number";
            /** @description With `reject`, nothing is written unless all items are valid. Default: skip. */
            on_error?: "skip" | "reject";
        };
        BatchIssue: {
            path: string;
            code: string;
            message: string;
        };
        BatchResult: {
            index: number;
            outcome: "created" | "updated" | "unchanged" | "failed" | "skipped";
            vehicle_id: number | null;
            /** @description Why it failed, with paths such as `items[3].price`. */
            errors: components["schemas"]["BatchIssue"][];
            /** @description What is odd with it. */
            warnings: components["schemas"]["BatchIssue"][];
        };
        BatchCounts: {
            created: number;
            updated: number;
            unchanged: number;
            failed: number;
            skipped: number;
        };
        BatchResults: {
            results: components["schemas"]["BatchResult"][];
            counts: components["schemas"]["BatchCounts"];
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
        };
        VehicleFacetsMeta: {
            total: number;
            /** @description True if the result was limited to the key's dealer. */
            filter_applied: boolean;
            /** @description Present if the result is limited to one dealer. */
            dealer_id?: number;
            timestamp: string;
        };
        FacetAmounts: {
            min: number | null;
            max: number | null;
            /** @description Up to 10 adjoining ranges between round numbers. Those of `days_on_lot` begin with 0, 31, 61 and 91 days. */
            ranges: {
                from: number;
                /** @description The end of the range, which is not included. `null` for the last range. */
                to: number | null;
                count: number;
            }[];
        };
        VehicleFacets: {
            meta: components["schemas"]["VehicleFacetsMeta"];
            facets: {
                make?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                model?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                year?: {
                    value: number | null;
                    count: number;
                }[];
                status?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                stage?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                body_style?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                fuel_type?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                transmission?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                drivetrain?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                condition?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                exterior_color?: {
                    /** @description The most frequent spelling. `null` for vehicles without a value. */
                    value: string | null;
                    count: number;
                }[];
                price?: components["schemas"]["FacetAmounts"];
                mileage?: components["schemas"]["FacetAmounts"];
                days_on_lot?: components["schemas"]["FacetAmounts"];
                dealer?: {
                    value: number;
                    count: number;
                    name: string | null;
                }[];
            };
        };
        RemovedVehiclePageMeta: {
            total: number;
            /** @description True if the result was limited to the key's dealer. */
            filter_applied: boolean;
            /** @description Present if the result is limited to one dealer. */
            dealer_id?: number;
            timestamp: string;
        };
        RemovedBy: {
            /** @description The same as for the actor of an audit entry. */
            type: string;
            id: number | null;
            name: string;
        };
        RemovedVehicle: {
            id: number;
            dealer_id: number;
            make: string;
            model: string;
            /** @description From 1886 to two years after the current one. */
            year: number;
            /** @description In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly. */
            price: number;
            /** @description Default on creation: made of the year, make and model. */
            title: string | null;
            trim: string | null;
            mileage: number | null;
            exterior_color: string | null;
            interior_color: string | null;
            vin: string | null;
            stock_number: string | null;
            description: string | null;
            /** @description A list separated by commas. */
            features: string | null;
            /** @description Default: available. */
            status: "available" | "sold" | "pending";
            featured: 0 | 1;
            fuel_type: string | null;
            transmission: string | null;
            engine: string | null;
            drivetrain: string | null;
            body_style: string | null;
            condition: string | null;
            seats: number | null;
            doors: number | null;
            /** @description How many owners it had before. 0 for none. */
            owners: number | null;
            /** @description The day of the first registration. If only the month is known, its first day. */
            date_first_registered: string | null;
            warranty: string | null;
            /** @description The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly. */
            msrp: number | null;
            /** @description How far it drives on its battery alone, in the installation's unit of distance (see the settings). */
            electric_range: number | null;
            /** @description In kWh. */
            battery_capacity: number | null;
            charge_port: string | null;
            /** @description In l/100 km, combined, whatever the installation's unit of distance. */
            fuel_consumption: number | null;
            /** @description In kWh/100 km, combined, whatever the installation's unit of distance. */
            energy_consumption: number | null;
            /** @description In g/km, combined. */
            co2_emissions: number | null;
            emissions_standard: string | null;
            /** @description A more detailed status. Changing the status clears it, unless the request also sets a stage. */
            stage: "due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale" | null;
            listed_at: string;
            sold_at: string | null;
            publish: 0 | 1;
            /** @description The price before its last change. */
            previous_price: number | null;
            price_changed_at: string | null;
            created_at: string;
            updated_at: string;
            /** @description With `include=names`: the name of the record that `dealer_id` refers to. */
            dealer_name?: string | null;
            primary_image?: components["schemas"]["Image"] | null;
            /** @description The number of images. Present with `include=primary_image`. */
            image_count?: number;
            /** @description The images, the primary one first and the others in their order. Present with `include=images`. */
            images?: components["schemas"]["Image"][];
            /** @description The change of it, in answers of the portal only. */
            change_id?: string;
            removed_at: string;
            removed_by: components["schemas"]["RemovedBy"];
            restorable_until: string;
            /** @description The address of its primary image, or the `placeholder` of a photo, which is not delivered while the vehicle is removed. */
            picture: string | null;
        };
        RemovedVehiclePage: {
            meta: components["schemas"]["RemovedVehiclePageMeta"];
            vehicles: components["schemas"]["RemovedVehicle"][];
        };
        AuditActor: {
            type: "key" | "user" | "command" | "service" | "operator";
            id: number | null;
            /** @description The name of the key or user at that time. Dealers see `Operator` for actors from outside. */
            name: string;
        };
        RecentChange: {
            id: string;
            /** @description `edit` is a change of one vehicle in the portal. */
            kind: "edit" | "bulk" | "import" | "batch" | "creation" | "removal" | "reversal" | "scheduled";
            at: string;
            by: components["schemas"]["AuditActor"];
            vehicles: number;
            /** @description The vehicle, if it is only one. */
            vehicle_id: number | null;
            /** @description The names of the changed fields. */
            fields: string[];
            /** @description False for creations, removals, moves and reversals. */
            revertible: boolean;
            /** @description The change that this one reverted. */
            reverts: string | null;
            reverted_at: string | null;
        };
        CursorMeta: {
            next_cursor: string | null;
            total: number;
        };
        RecentChangePage: {
            /** @description Newest first. */
            data: components["schemas"]["RecentChange"][];
            meta: components["schemas"]["CursorMeta"];
        };
        RevertResult: {
            id: number;
            outcome: "reverted" | "changed_since" | "not_found" | "unchanged";
            /** @description The fields that got their old values. */
            fields: string[];
            /** @description With `include=names`: what the vehicle is called, such as `2024 Toyota Camry`. */
            name?: string | null;
            /** @description With `include=names`. */
            stock_number?: string | null;
        };
        RevertResults: {
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
            reverts: string;
            total: number;
            results: components["schemas"]["RevertResult"][];
            /** @description Send it as `after` if there are more vehicles than one request reverts. Otherwise `null`. */
            next: number | null;
        };
        ReadinessIssue: {
            /** @description The rule that is broken. docs/channels.md lists all rules. */
            rule: "unpublished" | "not_arrived" | "required_empty" | "recommended_empty" | "vin_form" | "vin_check_digit" | "vin_twice" | "id_twice" | "price_zero" | "image_missing" | "image_http" | "link_store_code" | "price_type_missing" | "asked_by_country" | "store_code_missing" | "link_missing" | "condition_unknown" | "body_unknown" | "photos_few" | "photo_shared" | "coming_soon" | "description_short" | "description_capitals" | "description_link" | "trim_missing" | "days_many" | "price_off_peers" | "mileage_low" | "vin_placeholder" | "dates_swapped" | "vin_year" | "vin_make" | "vin_repeated";
            /** @description An error keeps the vehicle out of feeds. */
            severity: "error" | "warning";
            /** @description The field to correct. `null` if there is no such field. */
            field: string | null;
            /** @description A message for people about what is wrong. */
            message: string;
            /** @description How to correct it. */
            fix: string;
            /** @description The value with the problem, shortened. */
            evidence: string | null;
        };
        FeedReadiness: {
            feed_id: number;
            channel: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            /** @description True if the feed contains the vehicle, because there is no error. */
            ready: boolean;
            issues: components["schemas"]["ReadinessIssue"][];
        };
        VehicleReadiness: {
            /** @description The feeds that would contain the vehicle, as far as the caller can access them. */
            feeds: components["schemas"]["FeedReadiness"][];
            /** @description Problems by the service's own rules. Sold vehicles have none. */
            quality: components["schemas"]["ReadinessIssue"][];
        };
        ReadinessRule: {
            /** @description The rule that is broken. docs/channels.md lists all rules. */
            rule: "unpublished" | "not_arrived" | "required_empty" | "recommended_empty" | "vin_form" | "vin_check_digit" | "vin_twice" | "id_twice" | "price_zero" | "image_missing" | "image_http" | "link_store_code" | "price_type_missing" | "asked_by_country" | "store_code_missing" | "link_missing" | "condition_unknown" | "body_unknown" | "photos_few" | "photo_shared" | "coming_soon" | "description_short" | "description_capitals" | "description_link" | "trim_missing" | "days_many" | "price_off_peers" | "mileage_low" | "vin_placeholder" | "dates_swapped" | "vin_year" | "vin_make" | "vin_repeated";
            /** @description An error keeps the vehicle out of feeds. */
            severity: "error" | "warning";
            /** @description The field to correct. `null` if there is no such field. */
            field: string | null;
            /** @description A message for people about what is wrong. */
            message: string;
            /** @description How to correct it. */
            fix: string;
            count: number;
        };
        Quality: {
            /** @description `null` for the vehicles of all dealers. */
            dealer_id: number | null;
            /** @description The number of vehicles that were rated, which are those that are not sold. */
            vehicles: number;
            /** @description The average score of the vehicles. A vehicle has 100, minus 25 for each error and 10 for each warning, but at least 0. */
            score: number | null;
            /** @description The rules that vehicles break: errors first, then by the number of vehicles. */
            rules: components["schemas"]["ReadinessRule"][];
        };
        VehicleHistoryMeta: {
            total: number;
            timestamp: string;
            /** @description Send it as `cursor` to continue the list exactly after this page. */
            next_cursor: string | null;
        };
        VehicleChange: {
            at: string;
            field: "dealer_id" | "mileage" | "price" | "stage" | "status";
            old: (string | number) | null;
            new: (string | number) | null;
            by: components["schemas"]["AuditActor"] | null;
            via: "api" | "portal" | "command" | "service" | null;
            /** @description The change of several fields or vehicles that it is a part of. */
            change_id: string | null;
            /** @description The change that it reverted. Neither counts for prices, drops or reports. */
            reverts: string | null;
            /** @description The change that reverted it. */
            reverted_by: string | null;
        };
        VehicleHistory: {
            meta: components["schemas"]["VehicleHistoryMeta"];
            /** @description Newest first. For bound keys, the ids of other dealers are `null`. */
            changes: components["schemas"]["VehicleChange"][];
            /** @description The first known price at the present dealer. */
            first_price: number;
            /** @description The number of times that the price was lowered at the present dealer. */
            price_drops: number;
            /** @description Whole days from `listed_at` to `sold_at`, or to now. */
            days_on_lot: number;
            history_since: string;
        };
        Sale: {
            /** @description What it was sold for. `null` if nobody entered it yet. */
            sold_price: number | null;
            /** @description The time of the sale, which is the vehicle's `sold_at`. `null` leaves it unchanged. */
            sold_at: string | null;
            note: string | null;
            /** @description The change of it, in answers of the portal only. */
            change_id?: string;
        };
        SaleChanges: {
            /** @description What it was sold for. `null` if nobody entered it yet. */
            sold_price?: number | null;
            /** @description The time of the sale, which is the vehicle's `sold_at`. `null` leaves it unchanged. */
            sold_at?: string | null;
            note?: string | null;
            /** @description Ends the sale, and makes the vehicle available; sent alone. `true` undoes the sale, however long ago it was. `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now. */
            undo_sale?: boolean;
        };
        CorrectedSource: {
            /** @description An import source, uploads with a mapping, or all other uploads of the dealer. */
            type: "source" | "mapping" | "uploads";
            /** @description The id of the source or the mapping. */
            id: number | null;
            name: string | null;
        };
        Correction: {
            field: string;
            /** @description What the last file says. */
            file: unknown;
            /** @description What the vehicle has. */
            ours: unknown;
            source: components["schemas"]["CorrectedSource"];
            at: string;
        };
        Corrections: {
            data: components["schemas"]["Correction"][];
            meta: components["schemas"]["CursorMeta"];
        };
        PastSale: {
            vehicle_id: number;
            year: number;
            /** @description What it was sold for, or else its price. */
            price: number;
            /** @description Whole days of 24 hours on the lot. */
            days: number;
            sold_at: string;
        };
        DaysAtPrice: {
            price: number;
            /** @description The median of the days that the sales about this price took. */
            days: number;
            /** @description The number of these sales. */
            sales: number;
            /** @description How far from the price they are at most: 5, 10 or 15 percent. */
            within_percent: number;
        };
        Advice: {
            vehicle_id: number;
            price: number;
            /** @description Whole days of 24 hours on the lot. */
            days_on_lot: number;
            /** @description False with fewer than five sales: then there is no advice. */
            enough: boolean;
            /** @description What the sold vehicles have in common with this one: its model and its year, up to two apart; its model; or its make, body style and year, up to two apart. It is the first with five sales. */
            like: "model_and_years" | "model" | "body_style_and_years";
            /** @description The last sales, the latest first. */
            sales: components["schemas"]["PastSale"][];
            at_present: components["schemas"]["DaysAtPrice"] | null;
            at_price: components["schemas"]["DaysAtPrice"] | null;
        };
        ScheduledValues: {
            price?: number | components["schemas"]["PriceByAmount"] | components["schemas"]["PriceByPercent"];
            status?: "available" | "sold" | "pending";
        };
        ScheduledChange: {
            id: number;
            dealer_id: number;
            at: string;
            changes: components["schemas"]["ScheduledValues"];
            /** @description `dropped` if no vehicle was left to change. `done` if any of them is as it was to be. */
            state: "scheduled" | "running" | "done" | "dropped" | "cancelled";
            /** @description Why the whole of the rest was dropped: whoever scheduled it may not change the vehicles any more, or the service failed several times. */
            reason: "rights_lost" | "interrupted" | null;
            /** @description The number of its vehicles. */
            total: number;
            updated: number;
            unchanged: number;
            dropped: number;
            /** @description The vehicle, if it is only one. */
            vehicle_id: number | null;
            /** @description What its vehicles are called, such as `2024 Toyota Camry` or `12 vehicles`. */
            name: string;
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
            created_at: string;
            updated_at: string;
            finished_at: string | null;
        };
        ScheduledChangePage: {
            data: components["schemas"]["ScheduledChange"][];
            meta: components["schemas"]["CursorMeta"];
        };
        /** @description The price, the status, or both. The price may also be given as a difference from what it is then. */
        ScheduledFields: {
            price?: number | components["schemas"]["PriceByAmount"] | components["schemas"]["PriceByPercent"];
            /** @description Default: available. */
            status?: "available" | "sold" | "pending";
        };
        NewScheduledChange: {
            /** @description The vehicle. Send it, or `vehicle_ids`. */
            vehicle_id?: number;
            /** @description The vehicles, all of one dealer. Duplicates are ignored. */
            vehicle_ids?: number[];
            /** @description When the changes are made: in the future, at most 366 days ahead. */
            at: string;
            changes: components["schemas"]["ScheduledFields"];
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_id?: unknown;
            /** @description Accepted and ignored. */
            readonly state?: unknown;
            /** @description Accepted and ignored. */
            readonly reason?: unknown;
            /** @description Accepted and ignored. */
            readonly total?: unknown;
            /** @description Accepted and ignored. */
            readonly updated?: unknown;
            /** @description Accepted and ignored. */
            readonly unchanged?: unknown;
            /** @description Accepted and ignored. */
            readonly dropped?: unknown;
            /** @description Accepted and ignored. */
            readonly name?: unknown;
            /** @description Accepted and ignored. */
            readonly change_id?: unknown;
            /** @description Accepted and ignored. */
            readonly vehicles?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly finished_at?: unknown;
        };
        ScheduledVehicle: {
            id: number;
            outcome: "waiting" | "updated" | "unchanged" | "dropped" | "cancelled";
            /** @description Why it was dropped: the vehicle changed meanwhile, is not the dealer's any more, or cannot have these values; or the whole of the rest was dropped. */
            reason: "changed" | "gone" | "refused" | "rights_lost" | "interrupted" | null;
            /** @description The reason in words. */
            message: string | null;
        };
        ScheduledChangeWithVehicles: {
            id: number;
            dealer_id: number;
            at: string;
            changes: components["schemas"]["ScheduledValues"];
            /** @description `dropped` if no vehicle was left to change. `done` if any of them is as it was to be. */
            state: "scheduled" | "running" | "done" | "dropped" | "cancelled";
            /** @description Why the whole of the rest was dropped: whoever scheduled it may not change the vehicles any more, or the service failed several times. */
            reason: "rights_lost" | "interrupted" | null;
            /** @description The number of its vehicles. */
            total: number;
            updated: number;
            unchanged: number;
            dropped: number;
            /** @description The vehicle, if it is only one. */
            vehicle_id: number | null;
            /** @description What its vehicles are called, such as `2024 Toyota Camry` or `12 vehicles`. */
            name: string;
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
            created_at: string;
            updated_at: string;
            finished_at: string | null;
            /** @description In the order of their ids. */
            vehicles: components["schemas"]["ScheduledVehicle"][];
        };
        Dealer: {
            id: number;
            name: string;
            address: string;
            city: string;
            state: string;
            zip: string;
            /** @description Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code. */
            latitude: number | null;
            longitude: number | null;
            phone: string;
            email: string;
            website: string | null;
            logo_url: string | null;
            description: string | null;
            hours: {
                monday?: string;
                tuesday?: string;
                wednesday?: string;
                thursday?: string;
                friday?: string;
                saturday?: string;
                sunday?: string;
            } | null;
            social_media: {
                [key: string]: string;
            } | null;
            /** @description What happens to a vehicle whose VIN or stock number an unsold vehicle of the dealer has: `warn` accepts it and names the others in `X-Duplicate-Of`, `refuse` answers 409. Default: warn. */
            unique_vin: "warn" | "refuse";
            /** @description What other systems call the dealer, each at one dealer only; case and blanks do not matter. A file for several dealers names them by these codes. `google:HARBOR-1` is the dealer's store code in feeds for Google that name none. Keys that are bound to the dealer may not change them. Default: . */
            codes: string[];
            /** @description The requests a minute of all keys of the dealer together, beside the limit of each key; `null` for the service's. Keys that are bound to the dealer may not change it. */
            rate_limit: number | null;
            active: 0 | 1;
            created_at: string;
            updated_at: string;
        };
        Change: {
            kind: "dealer" | "vehicle" | "image";
            /** @description Insert or replace the record, or remove it. Removing a vehicle also removes its images. */
            op: "upsert" | "remove";
            id: number;
            /** @description The dealer of the record, or the one that it was removed from. */
            dealer_id: number;
            at: string;
            /** @description The record as it is now, as a request for it alone answers it. `null` if it is to be removed. */
            record: components["schemas"]["Vehicle"] | components["schemas"]["Image"] | components["schemas"]["Dealer"] | null;
        };
        ChangePageMeta: {
            /** @description Send it as `after` once this page was copied. */
            next: string;
            /** @description True if more can be read at once. */
            more: boolean;
        };
        ChangePage: {
            /** @description In the order in which a copy must make them. */
            data: components["schemas"]["Change"][];
            meta: components["schemas"]["ChangePageMeta"];
        };
        Suggestion: {
            text: string;
            kind: "make" | "model" | "stock_number" | "vin";
            count: number;
        };
        DecodedVin: {
            /** @description The VIN in upper case. */
            vin: string;
            /** @description True if the format, the model year and the check digit are correct. A VIN from Europe needs neither of the last two. */
            valid: boolean;
            /** @description `null` if the text does not have the format of a VIN, and for VINs from Europe, which need no check digit. */
            check_digit: {
                ok: boolean;
                /** @description `0` to `9`, or `X`. */
                expected: string;
            } | null;
            /** @description The model year. `null` if none is known, or if it is not known which of two it is. */
            year: number | null;
            /** @description The model years that are possible, the latest first. The codes repeat after 30 years, and only VINs made for North America say which. */
            years: number[];
            /** @description `null` if the manufacturer's code is unknown or stands for several makes. */
            make: string | null;
            /** @description All makes that are possible. */
            makes: string[];
            /** @description Messages for people about what is wrong. */
            issues: {
                code: "length" | "characters" | "check_digit" | "model_year" | "maker";
                message: string;
            }[];
        };
        NewImage: {
            image_url: string;
            /** @description Default: true for a vehicle's first image. */
            is_primary?: boolean | null;
            /** @description Default: one past the highest. */
            display_order?: number | null;
            /** @description What the photo shows, for people who cannot see it. */
            alt?: string | null;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly vehicle_id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly delivery_id?: unknown;
            /** @description Accepted and ignored. */
            readonly variants?: unknown;
            /** @description Accepted and ignored. */
            readonly width?: unknown;
            /** @description Accepted and ignored. */
            readonly height?: unknown;
            /** @description Accepted and ignored. */
            readonly placeholder?: unknown;
        };
        ImageOrder: {
            image_ids: number[];
        };
        ImageChanges: {
            image_url?: string;
            /** @description Default: true for a vehicle's first image. */
            is_primary?: boolean;
            /** @description Default: one past the highest. */
            display_order?: number;
            /** @description What the photo shows, for people who cannot see it. */
            alt?: string | null;
            /** @description Turns a photo that this service holds to the right, by so many degrees. It is made anew and gets another `delivery_id`. */
            rotate?: 90 | 180 | 270;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly vehicle_id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly delivery_id?: unknown;
            /** @description Accepted and ignored. */
            readonly variants?: unknown;
            /** @description Accepted and ignored. */
            readonly width?: unknown;
            /** @description Accepted and ignored. */
            readonly height?: unknown;
            /** @description Accepted and ignored. */
            readonly placeholder?: unknown;
        };
        ImportFile: {
            name: string | null;
            bytes: number;
            /** @description The SHA-256 of the bytes that were sent. */
            sha256: string;
            rows: number;
            charset: string;
            delimiter: string | null;
            /** @description The sheet of a workbook that was read. `null` for other files. */
            sheet: string | null;
        };
        ImportColumn: {
            heading: string;
            /** @description The field that the column contains. `null` if the column is not read. */
            field: string | null;
            /**
             * @description True if the heading is not known, and only the cells say what it is.
             * @constant
             */
            guessed?: true;
        };
        ImportIssue: {
            /** @description The heading of the column. Empty if the problem concerns the whole row. */
            path: string;
            /** @description A code for programs. */
            code: string;
            /** @description A message for people. */
            message: string;
        };
        ImportRowWarnings: {
            /** @description The heading of the column. Empty if the problem concerns the whole row. */
            path: string;
            /** @description A code for programs. */
            code: string;
            /** @description A message for people. */
            message: string;
            /** @description The number of rows with such a warning. */
            count: number;
            /** @description The line of the first of them, whose message is the example. */
            line: number;
        };
        UnknownValue: {
            field: "status" | "condition" | "fuel_type" | "transmission" | "drivetrain" | "body_style" | "exterior_color" | "interior_color";
            /** @description The heading of the column. */
            heading: string;
            /** @description What the file says. */
            value: string;
            /** @description The number of rows that say it. */
            count: number;
            /** @description The value that it may stand for. `null` if no word of it is known. */
            guess: string | null;
        };
        ImportProgress: {
            read: number;
            total: number;
        };
        ImportCounts: {
            created: number;
            updated: number;
            unchanged: number;
            failed: number;
            /** @description Rows that are no vehicles, such as totals. */
            skipped: number;
            /** @description `null` if it is not known, because a row has no key that can be read. */
            missing: number | null;
            removed: number;
            /** @description Rows against which values of their vehicles stayed, as people had corrected them. */
            kept: number;
            warnings: number;
        };
        FetchedImages: {
            waiting: number;
            /** @description Addresses whose photos vehicles have now. */
            fetched: number;
            /** @description Addresses that stay as they are; their rows say why. */
            failed: number;
            /** @description Why the others were not fetched any more. */
            problem: string | null;
        };
        ImportError: {
            code: string;
            message: string;
        };
        Import: {
            id: number;
            /** @description The dealer of all vehicles in the file. `null` if the file has a column for the dealer. */
            dealer_id: number | null;
            state: "queued" | "running" | "previewed" | "needs_confirmation" | "completed" | "failed" | "cancelled";
            mode: "upsert" | "create" | "update" | "snapshot";
            /** @description The other options, with defaults filled in. */
            options: {
                [key: string]: unknown;
            };
            file: components["schemas"]["ImportFile"];
            columns: components["schemas"]["ImportColumn"][];
            /** @description Warnings about the file as a whole. */
            warnings: components["schemas"]["ImportIssue"][];
            /** @description What rows were warned of, once for each column and kind; at most 30 kinds. */
            row_warnings: components["schemas"]["ImportRowWarnings"][];
            /** @description Values that the service does not know, of fields that have few: up to 100, up to 30 of a field, the most frequent ones first. `values` of the import or of its mapping says what they mean; without it they stay as they are. */
            unknown_values: components["schemas"]["UnknownValue"][];
            progress: components["schemas"]["ImportProgress"];
            counts: components["schemas"]["ImportCounts"];
            images: components["schemas"]["FetchedImages"] | null;
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
            /** @description The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed. */
            change_id: string | null;
            by: components["schemas"]["AuditActor"];
            error: components["schemas"]["ImportError"] | null;
        };
        ImportPage: {
            data: components["schemas"]["Import"][];
            meta: components["schemas"]["CursorMeta"];
        };
        KeptValue: {
            field: string;
            /** @description What the file says. */
            file: unknown;
            /** @description What the vehicle has, and keeps. */
            ours: unknown;
        };
        ImportRow: {
            line: number | null;
            row: number | null;
            /** @description The VIN of the row. The stock number if the row has no VIN, or if its vehicle is found by the stock number. */
            key: string | null;
            outcome: "created" | "updated" | "unchanged" | "failed" | "skipped" | "missing";
            vehicle_id: number | null;
            /** @description The changed fields with their values before and after. For a new vehicle, all fields that have a value in the row. */
            changes: {
                [key: string]: unknown[];
            };
            /** @description The values of the vehicle that stayed against the file, as somebody had corrected them. */
            kept: components["schemas"]["KeptValue"][];
            errors: components["schemas"]["ImportIssue"][];
            warnings: components["schemas"]["ImportIssue"][];
            /** @description With `cells=true`, the cells of a failed row by the headings of the file. A heading that is there again has a number, as in `Image (2)`. */
            cells?: {
                [key: string]: string | number | null;
            };
        };
        ImportRowPage: {
            data: components["schemas"]["ImportRow"][];
            meta: components["schemas"]["CursorMeta"];
        };
        ImportConfirmation: {
            /** @description The number of missing vehicles that the import reports. */
            missing: number;
        };
        MendedRow: {
            /** @description The `row` of the failed row. */
            row: number;
            /** @description What the cells of some columns should be, by their headings; where a heading is there again, it is called as in `cells` of the rows. The other cells stay as they came. */
            cells: {
                [key: string]: string | number | null;
            };
        };
        ImportMending: {
            rows: components["schemas"]["MendedRow"][];
            /** @description If true, nothing is changed, and the answer tells what would happen. Default: false. */
            dry_run?: boolean;
        };
        MendedRowResult: {
            row: number;
            /** @description `not_found` stands for a row that is not there, or has not failed. */
            outcome: "created" | "updated" | "unchanged" | "failed" | "skipped" | "not_found";
            vehicle_id: number | null;
            errors: components["schemas"]["ImportIssue"][];
            warnings: components["schemas"]["ImportIssue"][];
        };
        MendingResults: {
            dry_run: boolean;
            results: components["schemas"]["MendedRowResult"][];
        };
        NewImportMapping: {
            /** @description The name of the mapping. */
            name: string;
            /** @description The dealer whose files the mapping is for. For a bound key, it is replaced by the key's dealer. */
            dealer_id?: number;
            /** @description The field for each heading, as in the option `columns` of an import. */
            columns: {
                [key: string]: "dealer_id" | "make" | "model" | "year" | "price" | "title" | "trim" | "mileage" | "exterior_color" | "interior_color" | "vin" | "stock_number" | "description" | "features" | "status" | "featured" | "fuel_type" | "transmission" | "engine" | "drivetrain" | "body_style" | "condition" | "seats" | "doors" | "owners" | "date_first_registered" | "warranty" | "msrp" | "electric_range" | "battery_capacity" | "charge_port" | "fuel_consumption" | "energy_consumption" | "co2_emissions" | "emissions_standard" | "stage" | "listed_at" | "sold_at" | "publish" | "sold_price" | "images" | "certified" | "mileage_unit" | "currency" | null;
            };
            /** @description What words of the files mean, by field: `status`, `condition`, `fuel_type`, `transmission`, `drivetrain`, `body_style`, `exterior_color`, `interior_color`. Each field has up to 200 words of up to 100 characters, without regard to case, accents, blanks and signs; `status` must mean one of its values. All of them have at most 20000 characters as JSON. */
            values?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        ImportMapping: {
            id: number;
            dealer_id: number;
            name: string;
            /** @description The field for each heading, or `null` for a column that is not read. */
            columns: {
                [key: string]: string | null;
            };
            /** @description What words of the files mean, by field. */
            values: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            created_at: string;
            updated_at: string;
        };
        ImportMappingPage: {
            data: components["schemas"]["ImportMapping"][];
            meta: {
                next_cursor: string | null;
                total: number;
            };
        };
        ImportMappingChanges: {
            /** @description The name of the mapping. */
            name?: string;
            /** @description The field for each heading, as in the option `columns` of an import. */
            columns?: {
                [key: string]: "dealer_id" | "make" | "model" | "year" | "price" | "title" | "trim" | "mileage" | "exterior_color" | "interior_color" | "vin" | "stock_number" | "description" | "features" | "status" | "featured" | "fuel_type" | "transmission" | "engine" | "drivetrain" | "body_style" | "condition" | "seats" | "doors" | "owners" | "date_first_registered" | "warranty" | "msrp" | "electric_range" | "battery_capacity" | "charge_port" | "fuel_consumption" | "energy_consumption" | "co2_emissions" | "emissions_standard" | "stage" | "listed_at" | "sold_at" | "publish" | "sold_price" | "images" | "certified" | "mileage_unit" | "currency" | null;
            };
            /** @description What words of the files mean, by field: `status`, `condition`, `fuel_type`, `transmission`, `drivetrain`, `body_style`, `exterior_color`, `interior_color`. Each field has up to 200 words of up to 100 characters, without regard to case, accents, blanks and signs; `status` must mean one of its values. All of them have at most 20000 characters as JSON. */
            values?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_id?: unknown;
        };
        ImportSourceRun: {
            at: string;
            import_id: number | null;
            /** @description The status of the answer. `null` if there was none. */
            status: number | null;
            bytes: number | null;
            /** @description What went wrong. `null` if nothing did. */
            problem: string | null;
            /** @description What the import of the file assumed or left undone, such as `missing_not_determined`, which comes first. Empty until the import has ended. */
            warnings: components["schemas"]["ImportIssue"][];
        };
        ImportSource: {
            id: number;
            name: string;
            dealer_id: number;
            url: string;
            schedule: string;
            timezone: string;
            auth: ({
                /** @constant */
                type: "basic";
                user: string;
            } | {
                /** @constant */
                type: "header";
                name: string;
            }) | null;
            /** @description The options of the imports, including defaults. */
            options: {
                [key: string]: unknown;
            };
            /** @description Who decides about which field, where it is not as in the settings. */
            field_owners: {
                [key: string]: "file" | "hand";
            };
            active: boolean;
            next_run_at: string | null;
            failing_since: string | null;
            /** @description The last runs, newest first. */
            runs: components["schemas"]["ImportSourceRun"][];
            created_at: string;
            updated_at: string;
        };
        ImportSourcePage: {
            data: components["schemas"]["ImportSource"][];
            meta: components["schemas"]["CursorMeta"];
        };
        BasicCredentials: {
            /** @constant */
            type: "basic";
            user: string;
            password: string;
        };
        HeaderCredentials: {
            /** @constant */
            type: "header";
            name: string;
            value: string;
        };
        /** @description The options of the imports, as in the query of `POST /api/imports`. */
        ImportSourceOptions: {
            /** @description What the file's column for the dealer contains: the `codes` of dealers, or with `id` their ids here. Files that the service exported always have ids. Default: code. */
            dealer_by?: "code" | "id";
            /** @description Whether rows create vehicles, change them, or both. With `snapshot` they do both, and the file lists the whole inventory. Default: upsert. */
            mode?: "upsert" | "create" | "update" | "snapshot";
            /** @description How the vehicle of a row is found. `auto` uses the VIN if the row has one, and otherwise the stock number. It finds rows of an exported file by their `id`. Default: auto. */
            match?: "auto" | "vin" | "stock_number";
            /** @description With `reject`, all rows are checked first, and nothing is written unless all are valid. Default: skip. */
            on_error?: "skip" | "reject";
            /** @description If true, nothing is changed, and the import tells what would happen. Default: false. */
            dry_run?: boolean;
            /** @description With `snapshot`: what happens to unsold vehicles that are missing from the file. Default: sold. */
            missing?: "sold" | "remove" | "report";
            /** @description With `snapshot`: if more than this percentage of vehicles is missing, the import waits for a confirmation. Default: 20. */
            max_missing_percent?: number;
            /** @description The id of one of the dealer's mappings, which says which fields the columns contain and what words mean. `columns` and `values` take precedence. */
            mapping?: number;
            /** @description What an empty cell does to the field. Default: keep. */
            empty?: "keep" | "clear";
            /** @description What the images of a row do to the existing images of its vehicle. With `keep`, only vehicles without images get them. Default: replace. */
            images?: "replace" | "append" | "keep";
            /** @description If true, the service fetches the photos that the file names, once its rows are done, and keeps them as photos that were sent to it. An address is fetched once for a dealer: the same address is the same photo. What cannot be fetched stays an address, and the row says why. Default: false. */
            fetch_images?: boolean;
            /** @description The character before the cents of a price. Default: auto. */
            decimal?: "auto" | "point" | "comma";
            /** @description With `on`, a value that somebody corrected stays as long as the file says what its last version said; if both changed, the owner of the field decides (`field_owners` of the settings and of import sources). With `off`, the values of the file are written. Default: on. */
            merge?: "on" | "off";
            /** @description The order of day and month in dates such as 05/06/2026. With `auto`, a cell that can only be read in one way decides it for its column; if none does, the setting `date_order` of the installation. Default: auto. */
            date_order?: "auto" | "dmy" | "mdy";
            /** @description What happens to a mileage or an electric range that the file has in another unit than the installation. With `keep`, the number stays as it is. Default: convert. */
            units?: "convert" | "keep";
            /** @description What a price in another currency than the installation's means. With `check`, it is not read; with `ignore`, signs and codes of currencies are dropped. Default: check. */
            currency?: "check" | "ignore";
            /** @description The line of a CSV or TSV file, or the row of a sheet, that is its heading. Default: the first of the first 30 rows that looks like one. */
            heading_row?: number;
            /** @description The sheet of a workbook that is read. Default: the first visible sheet with a heading. Other files have no sheets. */
            sheet?: string;
            /** @description The charset of the file, by any of its names. Default: detected. */
            charset?: string;
            /** @description The character between cells. Default: detected. */
            delimiter?: "comma" | "semicolon" | "tab" | "bar" | "," | ";" | "\t" | "|";
            /** @description The field for each heading that the service does not know, or `null` for a column that is not read. */
            columns?: {
                [key: string]: string | null;
            };
        };
        /** @description Who decides about a field when the file and a person have both changed it since the last file: `file` or `hand`. Fields without an entry have the owner that the settings say. */
        FieldOwners: {
            make?: "file" | "hand";
            model?: "file" | "hand";
            year?: "file" | "hand";
            price?: "file" | "hand";
            title?: "file" | "hand";
            trim?: "file" | "hand";
            mileage?: "file" | "hand";
            exterior_color?: "file" | "hand";
            interior_color?: "file" | "hand";
            vin?: "file" | "hand";
            stock_number?: "file" | "hand";
            description?: "file" | "hand";
            features?: "file" | "hand";
            status?: "file" | "hand";
            featured?: "file" | "hand";
            fuel_type?: "file" | "hand";
            transmission?: "file" | "hand";
            engine?: "file" | "hand";
            drivetrain?: "file" | "hand";
            body_style?: "file" | "hand";
            condition?: "file" | "hand";
            seats?: "file" | "hand";
            doors?: "file" | "hand";
            owners?: "file" | "hand";
            date_first_registered?: "file" | "hand";
            warranty?: "file" | "hand";
            msrp?: "file" | "hand";
            electric_range?: "file" | "hand";
            battery_capacity?: "file" | "hand";
            charge_port?: "file" | "hand";
            fuel_consumption?: "file" | "hand";
            energy_consumption?: "file" | "hand";
            co2_emissions?: "file" | "hand";
            emissions_standard?: "file" | "hand";
            stage?: "file" | "hand";
            listed_at?: "file" | "hand";
            sold_at?: "file" | "hand";
            publish?: "file" | "hand";
            images?: "file" | "hand";
        };
        NewImportSource: {
            /** @description The name of the source. */
            name: string;
            /** @description The dealer of the vehicles in the file. For a bound key, it is replaced by the key's dealer. */
            dealer_id?: number;
            /** @description The address of the file. It must be https, or may be http in networks that `EGRESS_ALLOW` lists. */
            url: string;
            /** @description When the file is fetched, in cron format: minute, hour, day of the month, month, day of the week. Fetches must be at least 15 minutes apart. */
            schedule: string;
            /** @description The time zone of the schedule (IANA). Default: UTC. */
            timezone?: string;
            auth?: (components["schemas"]["BasicCredentials"] | components["schemas"]["HeaderCredentials"]) | null;
            options?: components["schemas"]["ImportSourceOptions"];
            field_owners?: components["schemas"]["FieldOwners"];
            /** @description If false, the file is not fetched on the schedule. Default: true. */
            active?: boolean;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly next_run_at?: unknown;
            /** @description Accepted and ignored. */
            readonly failing_since?: unknown;
            /** @description Accepted and ignored. */
            readonly runs?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        ImportSourceChanges: {
            /** @description The name of the source. */
            name?: string;
            /** @description The address of the file. It must be https, or may be http in networks that `EGRESS_ALLOW` lists. */
            url?: string;
            /** @description When the file is fetched, in cron format: minute, hour, day of the month, month, day of the week. Fetches must be at least 15 minutes apart. */
            schedule?: string;
            /** @description The time zone of the schedule (IANA). Default: UTC. */
            timezone?: string;
            auth?: (components["schemas"]["BasicCredentials"] | components["schemas"]["HeaderCredentials"] | {
                /** @constant */
                type: "basic";
                user: string;
            } | {
                /** @constant */
                type: "header";
                name: string;
            }) | null;
            options?: components["schemas"]["ImportSourceOptions"];
            field_owners?: components["schemas"]["FieldOwners"];
            /** @description If false, the file is not fetched on the schedule. Default: true. */
            active?: boolean;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly next_run_at?: unknown;
            /** @description Accepted and ignored. */
            readonly failing_since?: unknown;
            /** @description Accepted and ignored. */
            readonly runs?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_id?: unknown;
        };
        NewFeed: {
            /** @description The name of the feed. */
            name: string;
            /** @description The channel that fetches the feed. It determines the columns and the rules. */
            channel: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            /** @description The ids of the dealers whose vehicles the feed contains. `null` means all dealers that the caller can access. For a bound key, it is replaced by the key's dealer. */
            dealer_ids?: number[] | null;
            filters?: components["schemas"]["VehicleFilter"] | null;
            /** @description The address of a vehicle's page. Names of vehicle fields in braces are replaced by their values. */
            link_template?: string | null;
            /** @description The currency of the prices (ISO 4217). Default: the currency of the installation. */
            currency?: string;
            /** @description The country of the dealers (ISO 3166). */
            country?: string;
            /** @description The channel's store code of each dealer, by the dealer's id. */
            store_codes?: {
                [key: string]: string;
            } | null;
            /** @description The unit of the vehicles' mileages. Default: the distance unit of the installation. */
            mileage_unit?: "mi" | "km";
            /** @description What the prices include, as Google's vehicle ads call it: `dealer_price`, `all_in_price` (Canada), `drive_away_price`, `estimated_drive_away_price`, `excluding_government_charges_price` (Australia). `null` for nothing. */
            price_type?: string | null;
            /** @description If the number of rows falls by more than this percentage since the last fetch, the feed is held. Default: 50. */
            max_drop_percent?: number;
            /** @description If false, the feed is not served, and the channel keeps its last copy. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly url?: unknown;
            /** @description Accepted and ignored. */
            readonly held?: unknown;
            /** @description Accepted and ignored. */
            readonly stopped?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly fetches?: unknown;
            /** @description Accepted and ignored. */
            readonly by?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        FeedHeld: {
            at: string;
            rows: number;
            /** @description The number of rows at the previous fetch. */
            before: number;
        };
        FeedFetch: {
            at: string;
            address: string;
            agent: string | null;
            status: number;
            rows: number | null;
            /** @description The number of vehicles that the rules left out. */
            left_out: number | null;
        };
        ShownFeed: {
            id: number;
            /** @description The name of the feed. */
            name: string;
            /** @description The channel that fetches the feed. It determines the columns and the rules. */
            channel: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            /** @description The ids of the dealers whose vehicles the feed contains. `null` means all dealers that the caller can access. For a bound key, it is replaced by the key's dealer. */
            dealer_ids: number[] | null;
            filters: components["schemas"]["VehicleFilter"] | null;
            /** @description The address of a vehicle's page. Names of vehicle fields in braces are replaced by their values. */
            link_template: string | null;
            /** @description The currency of the prices (ISO 4217). Default: the currency of the installation. */
            currency: string;
            /** @description The country of the dealers (ISO 3166). */
            country: string;
            /** @description The channel's store code of each dealer, by the dealer's id. */
            store_codes: {
                [key: string]: string;
            } | null;
            /** @description The unit of the vehicles' mileages. Default: the distance unit of the installation. */
            mileage_unit: "mi" | "km";
            /** @description What the prices include, as Google's vehicle ads call it: `dealer_price`, `all_in_price` (Canada), `drive_away_price`, `estimated_drive_away_price`, `excluding_government_charges_price` (Australia). `null` for nothing. */
            price_type: string | null;
            /** @description If the number of rows falls by more than this percentage since the last fetch, the feed is held. Default: 50. */
            max_drop_percent: number;
            active: boolean;
            held: components["schemas"]["FeedHeld"] | null;
            /** @description Why the feed is not served: it is switched off or held, or the person responsible for it may no longer read its vehicles. */
            stopped: "off" | "held" | "not_readable" | null;
            grace_until: string | null;
            /** @description The latest 20 fetches, newest first. */
            fetches: components["schemas"]["FeedFetch"][];
            by: components["schemas"]["AuditActor"];
            created_at: string;
            updated_at: string;
            /** @description The address from which the channel fetches the feed. It contains the token and is shown only in this answer. */
            url: string | null;
            /**
             * @description The request was sent before: its first answer had the secret, which is `null` here.
             * @constant
             */
            secret_shown_before?: true;
        };
        Feed: {
            id: number;
            /** @description The name of the feed. */
            name: string;
            /** @description The channel that fetches the feed. It determines the columns and the rules. */
            channel: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            /** @description The ids of the dealers whose vehicles the feed contains. `null` means all dealers that the caller can access. For a bound key, it is replaced by the key's dealer. */
            dealer_ids: number[] | null;
            filters: components["schemas"]["VehicleFilter"] | null;
            /** @description The address of a vehicle's page. Names of vehicle fields in braces are replaced by their values. */
            link_template: string | null;
            /** @description The currency of the prices (ISO 4217). Default: the currency of the installation. */
            currency: string;
            /** @description The country of the dealers (ISO 3166). */
            country: string;
            /** @description The channel's store code of each dealer, by the dealer's id. */
            store_codes: {
                [key: string]: string;
            } | null;
            /** @description The unit of the vehicles' mileages. Default: the distance unit of the installation. */
            mileage_unit: "mi" | "km";
            /** @description What the prices include, as Google's vehicle ads call it: `dealer_price`, `all_in_price` (Canada), `drive_away_price`, `estimated_drive_away_price`, `excluding_government_charges_price` (Australia). `null` for nothing. */
            price_type: string | null;
            /** @description If the number of rows falls by more than this percentage since the last fetch, the feed is held. Default: 50. */
            max_drop_percent: number;
            active: boolean;
            held: components["schemas"]["FeedHeld"] | null;
            /** @description Why the feed is not served: it is switched off or held, or the person responsible for it may no longer read its vehicles. */
            stopped: "off" | "held" | "not_readable" | null;
            grace_until: string | null;
            /** @description The latest 20 fetches, newest first. */
            fetches: components["schemas"]["FeedFetch"][];
            by: components["schemas"]["AuditActor"];
            created_at: string;
            updated_at: string;
        };
        FeedPage: {
            data: components["schemas"]["Feed"][];
            meta: components["schemas"]["CursorMeta"];
        };
        FeedChanges: {
            /** @description The name of the feed. */
            name?: string;
            /** @description The channel that fetches the feed. It determines the columns and the rules. */
            channel?: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            /** @description The ids of the dealers whose vehicles the feed contains. `null` means all dealers that the caller can access. For a bound key, it is replaced by the key's dealer. */
            dealer_ids?: number[] | null;
            filters?: components["schemas"]["VehicleFilter"] | null;
            /** @description The address of a vehicle's page. Names of vehicle fields in braces are replaced by their values. */
            link_template?: string | null;
            /** @description The currency of the prices (ISO 4217). Default: the currency of the installation. */
            currency?: string;
            /** @description The country of the dealers (ISO 3166). */
            country?: string;
            /** @description The channel's store code of each dealer, by the dealer's id. */
            store_codes?: {
                [key: string]: string;
            } | null;
            /** @description The unit of the vehicles' mileages. Default: the distance unit of the installation. */
            mileage_unit?: "mi" | "km";
            /** @description What the prices include, as Google's vehicle ads call it: `dealer_price`, `all_in_price` (Canada), `drive_away_price`, `estimated_drive_away_price`, `excluding_government_charges_price` (Australia). `null` for nothing. */
            price_type?: string | null;
            /** @description If the number of rows falls by more than this percentage since the last fetch, the feed is held. Default: 50. */
            max_drop_percent?: number;
            /** @description If false, the feed is not served, and the channel keeps its last copy. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly url?: unknown;
            /** @description Accepted and ignored. */
            readonly held?: unknown;
            /** @description Accepted and ignored. */
            readonly stopped?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly fetches?: unknown;
            /** @description Accepted and ignored. */
            readonly by?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        FeedRotation: {
            /** @description How long the previous address continues to work, in seconds. Default: 0. */
            grace_seconds?: number;
        };
        FeedPreview: {
            data: Record<string, never>[];
            /** @description The number of vehicles that were examined, and how many of them are left out. */
            meta: {
                looked_at: number;
                left_out: number;
            };
        };
        FeedRule: {
            rule: string;
            /** @description Vehicles with an error are left out. */
            severity: "error" | "warning";
            /** @description A field of the vehicle, or a setting of the feed. */
            field: string | null;
            /** @description A message for people about what is wrong. */
            message: string;
            /** @description How to correct it. */
            fix: string;
            count: number;
        };
        ReadinessOfFeed: {
            ready: number;
            blocked: number;
            /** @description Vehicles that are ready but have warnings. */
            warned: number;
            rules: components["schemas"]["FeedRule"][];
        };
        FeedIssue: {
            rule: string;
            /** @description Vehicles with an error are left out. */
            severity: "error" | "warning";
            /** @description A field of the vehicle, or a setting of the feed. */
            field: string | null;
            /** @description A message for people about what is wrong. */
            message: string;
            /** @description How to correct it. */
            fix: string;
            evidence: string | null;
        };
        FeedFinding: {
            vehicle_id: number;
            dealer_id: number;
            year: number;
            make: string;
            model: string;
            trim: string | null;
            vin: string | null;
            stock_number: string | null;
            ready: boolean;
            /** @description The address of its first image. `null` if it has none. */
            image_url: string | null;
            issues: components["schemas"]["FeedIssue"][];
        };
        FeedFindingPage: {
            data: components["schemas"]["FeedFinding"][];
            meta: components["schemas"]["CursorMeta"];
        };
        NewWebhook: {
            /** @description The address that messages are sent to. It must be https on port 443 or above 1023, or may be http in networks that `EGRESS_ALLOW` lists. */
            url: string;
            /** @description The events that are sent. */
            events: ("vehicle.created" | "vehicle.updated" | "vehicle.price_changed" | "vehicle.status_changed" | "vehicle.sold" | "vehicle.removed" | "vehicle.restored" | "image.changed" | "import.finished" | "feed.held" | "dealer.updated" | "key.expiring" | "key.disabled")[];
            /** @description The dealer whose changes are sent; `null` for those of all dealers. For a bound key, it is replaced by the key's dealer. */
            dealer_id?: number | null;
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description The maximum number of messages that are sent in a second. Default: 10. */
            max_per_second?: number;
            /** @description If false, nothing is sent. Default: true. */
            active?: boolean;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly secret?: unknown;
            /** @description Accepted and ignored. */
            readonly disabled_reason?: unknown;
            /** @description Accepted and ignored. */
            readonly failing_since?: unknown;
            /** @description Accepted and ignored. */
            readonly waiting?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        WebhookWithSecret: {
            id: number;
            url: string;
            events: ("vehicle.created" | "vehicle.updated" | "vehicle.price_changed" | "vehicle.status_changed" | "vehicle.sold" | "vehicle.removed" | "vehicle.restored" | "image.changed" | "import.finished" | "feed.held" | "dealer.updated" | "key.expiring" | "key.disabled")[];
            dealer_id: number | null;
            description: string | null;
            max_per_second: number;
            active: boolean;
            /** @description Why the service switched it off: no message arrived for 5 days (`failing`), the receiver answered 410 (`gone`), whoever changed it last may not read the vehicles any more (`rights_lost`), or 100,000 messages waited (`backlog`). */
            disabled_reason: "failing" | "gone" | "rights_lost" | "backlog" | null;
            failing_since: string | null;
            waiting: number;
            grace_until: string | null;
            created_at: string;
            updated_at: string;
            /** @description The secret that signs the messages, as Standard Webhooks writes it. It is shown only in this answer. */
            secret: string | null;
            /**
             * @description The request was sent before: its first answer had the secret, which is `null` here.
             * @constant
             */
            secret_shown_before?: true;
        };
        Webhook: {
            id: number;
            url: string;
            events: ("vehicle.created" | "vehicle.updated" | "vehicle.price_changed" | "vehicle.status_changed" | "vehicle.sold" | "vehicle.removed" | "vehicle.restored" | "image.changed" | "import.finished" | "feed.held" | "dealer.updated" | "key.expiring" | "key.disabled")[];
            dealer_id: number | null;
            description: string | null;
            max_per_second: number;
            active: boolean;
            /** @description Why the service switched it off: no message arrived for 5 days (`failing`), the receiver answered 410 (`gone`), whoever changed it last may not read the vehicles any more (`rights_lost`), or 100,000 messages waited (`backlog`). */
            disabled_reason: "failing" | "gone" | "rights_lost" | "backlog" | null;
            failing_since: string | null;
            waiting: number;
            grace_until: string | null;
            created_at: string;
            updated_at: string;
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            meta: components["schemas"]["CursorMeta"];
        };
        WebhookChanges: {
            /** @description The address that messages are sent to. It must be https on port 443 or above 1023, or may be http in networks that `EGRESS_ALLOW` lists. */
            url?: string;
            /** @description The events that are sent. */
            events?: ("vehicle.created" | "vehicle.updated" | "vehicle.price_changed" | "vehicle.status_changed" | "vehicle.sold" | "vehicle.removed" | "vehicle.restored" | "image.changed" | "import.finished" | "feed.held" | "dealer.updated" | "key.expiring" | "key.disabled")[];
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description The maximum number of messages that are sent in a second. Default: 10. */
            max_per_second?: number;
            /** @description If false, nothing is sent. Default: true. */
            active?: boolean;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly secret?: unknown;
            /** @description Accepted and ignored. */
            readonly disabled_reason?: unknown;
            /** @description Accepted and ignored. */
            readonly failing_since?: unknown;
            /** @description Accepted and ignored. */
            readonly waiting?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_id?: unknown;
        };
        WebhookSecretRotation: {
            /** @description How long the secret before signs along, in seconds. Default: 86400. */
            grace_seconds?: number;
        };
        WebhookAttempt: {
            at: string;
            /** @description The status of the answer. `null` if there was none. */
            status: number | null;
            ms: number;
            /** @description The first KiB of the answer, or why there was none. */
            response: string;
        };
        WebhookDelivery: {
            id: number;
            event: "vehicle.created" | "vehicle.updated" | "vehicle.price_changed" | "vehicle.status_changed" | "vehicle.sold" | "vehicle.removed" | "vehicle.restored" | "image.changed" | "import.finished" | "feed.held" | "dealer.updated" | "key.expiring" | "key.disabled" | "webhook.test";
            state: "pending" | "delivered" | "failed";
            /** @description The last 20 tries, oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
            next_at: string | null;
            /** @description The `webhook-id` of its requests, the same at every try. */
            webhook_id_header: string;
            created_at: string;
        };
        WebhookRecoveryRequest: {
            /** @description Messages that failed, and changes that were not sent, since this time are sent. It reaches back 30 days at most. */
            since: string;
        };
        WebhookRecovery: {
            /** @description The number of messages and changes that are sent now, up to 5,000 of each. */
            queued: number;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["CursorMeta"];
        };
        LastCompletedFile: {
            import_id: number;
            at: string;
            /** @description The rows that failed. */
            failed: number;
        };
        DealerStanding: {
            /** @description Vehicles on the lot: available and pending ones. */
            vehicles: number;
            /** @description These by days on the lot: 0–30, 31–60, 61–90, and more. */
            ages: number[];
            /** @description Their mean age in whole days. `null` if there are none. */
            average_age: number | null;
            /** @description The mean score of their quality, as it was judged last: within minutes of a change, and once a day. `null` if there are none, or before the first time. */
            quality: number | null;
            /** @description Vehicles that the active feeds of this dealer alone left out when they were counted last. `null` if none was counted, and without `feeds:read`. */
            left_out: number | null;
            /** @description Keys of which 20 or more requests in 24 hours, and a tenth of all, were refused. `null` without `keys:read`. */
            refused_keys: number | null;
            last_file: components["schemas"]["LastCompletedFile"] | null;
            last_change: string;
            /** @description Why the dealer needs help, as far as the caller may see it. */
            needs_help: ("quality" | "left_out" | "refused_keys" | "failed_rows")[];
        };
        ListedDealer: {
            id: number;
            name: string;
            address: string;
            city: string;
            state: string;
            zip: string;
            /** @description Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code. */
            latitude: number | null;
            longitude: number | null;
            phone: string;
            email: string;
            website: string | null;
            logo_url?: string | null;
            description?: string | null;
            hours?: {
                monday?: string;
                tuesday?: string;
                wednesday?: string;
                thursday?: string;
                friday?: string;
                saturday?: string;
                sunday?: string;
            } | null;
            social_media?: {
                [key: string]: string;
            } | null;
            /** @description What happens to a vehicle whose VIN or stock number an unsold vehicle of the dealer has: `warn` accepts it and names the others in `X-Duplicate-Of`, `refuse` answers 409. Default: warn. */
            unique_vin: "warn" | "refuse";
            /** @description What other systems call the dealer, each at one dealer only; case and blanks do not matter. A file for several dealers names them by these codes. `google:HARBOR-1` is the dealer's store code in feeds for Google that name none. Keys that are bound to the dealer may not change them. Default: . */
            codes: string[];
            /** @description The requests a minute of all keys of the dealer together, beside the limit of each key; `null` for the service's. Keys that are bound to the dealer may not change it. */
            rate_limit: number | null;
            active: 0 | 1;
            created_at: string;
            updated_at: string;
            figures?: components["schemas"]["DealerStanding"];
        };
        NewDealer: {
            name: string;
            address: string;
            city: string;
            state: string;
            zip: string;
            /** @description Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code. */
            latitude?: number | null;
            longitude?: number | null;
            phone: string;
            email: string;
            website?: string | null;
            logo_url?: string | null;
            description?: string | null;
            hours?: {
                monday?: string;
                tuesday?: string;
                wednesday?: string;
                thursday?: string;
                friday?: string;
                saturday?: string;
                sunday?: string;
            } | null;
            social_media?: {
                [key: string]: string;
            } | null;
            /** @description What happens to a vehicle whose VIN or stock number an unsold vehicle of the dealer has: `warn` accepts it and names the others in `X-Duplicate-Of`, `refuse` answers 409. Default: warn. */
            unique_vin?: "warn" | "refuse";
            /** @description What other systems call the dealer, each at one dealer only; case and blanks do not matter. A file for several dealers names them by these codes. `google:HARBOR-1` is the dealer's store code in feeds for Google that name none. Keys that are bound to the dealer may not change them. Default: . */
            codes?: string[];
            /** @description The requests a minute of all keys of the dealer together, beside the limit of each key; `null` for the service's. Keys that are bound to the dealer may not change it. */
            rate_limit?: number | null;
            /** @description Answered as 0 or 1. Default: true. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        DealerChanges: {
            name?: string;
            address?: string;
            city?: string;
            state?: string;
            zip?: string;
            /** @description Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code. */
            latitude?: number | null;
            longitude?: number | null;
            phone?: string;
            email?: string;
            website?: string | null;
            logo_url?: string | null;
            description?: string | null;
            hours?: {
                monday?: string;
                tuesday?: string;
                wednesday?: string;
                thursday?: string;
                friday?: string;
                saturday?: string;
                sunday?: string;
            } | null;
            social_media?: {
                [key: string]: string;
            } | null;
            /** @description What happens to a vehicle whose VIN or stock number an unsold vehicle of the dealer has: `warn` accepts it and names the others in `X-Duplicate-Of`, `refuse` answers 409. Default: warn. */
            unique_vin?: "warn" | "refuse";
            /** @description What other systems call the dealer, each at one dealer only; case and blanks do not matter. A file for several dealers names them by these codes. `google:HARBOR-1` is the dealer's store code in feeds for Google that name none. Keys that are bound to the dealer may not change them. Default: . */
            codes?: string[];
            /** @description The requests a minute of all keys of the dealer together, beside the limit of each key; `null` for the service's. Keys that are bound to the dealer may not change it. */
            rate_limit?: number | null;
            /** @description Answered as 0 or 1. Default: true. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        InventoryPageMeta: {
            total: number;
            dealer_id: number;
            timestamp: string;
            /** @description Send it as `cursor` to continue the list exactly after this page. */
            next_cursor: string | null;
            /** @description The words of `q` in their order. Present with `include=understood`. */
            understood?: components["schemas"]["UnderstoodWord"][];
        };
        InventoryPage: {
            meta: components["schemas"]["InventoryPageMeta"];
            vehicles: components["schemas"]["Vehicle"][];
        };
        StatisticsVehicle: {
            id: number;
            make: string;
            model: string;
            year: number;
            created_at: string;
        };
        DealerStatistics: {
            dealer_id: number;
            total_vehicles: number;
            available_vehicles: number;
            sold_vehicles: number;
            pending_vehicles: number;
            /** @description Of vehicles that are not sold. 0 if there are none. */
            average_price: number;
            /** @description Of vehicles that are not sold. */
            inventory_value: number;
            /** @description The mean time since vehicles that are not sold were listed, rounded down to whole days. 0 if there are none. */
            average_days_on_lot: number;
            newest_vehicle: components["schemas"]["StatisticsVehicle"] | null;
            oldest_vehicle: components["schemas"]["StatisticsVehicle"] | null;
            /** @description What the photos that the service holds for the dealer take, those of vehicles that can be restored included. */
            photo_bytes: number;
            timestamp: string;
        };
        /** @description The difference between the first price and the sold price that was entered, for sales that have both. `null` if there are none, or without the permission `vehicles:write`. */
        AverageDiscount: {
            /** @description Negative if vehicles were sold for more than their first price. */
            amount: number;
            /** @description The average of the sales' discounts in percent of the first price. */
            percent: number;
        };
        MonthFigures: {
            month: string;
            /** @description The number of vehicles that came to the lot, by `listed_at`. */
            added: number;
            /** @description The number of sales, by `sold_at`. */
            sold: number;
            /** @description The sum of the sold prices that were entered; a sale without one adds nothing. `null` without the permission `vehicles:write`. */
            sold_value: number | null;
            /** @description Days from `listed_at` to `sold_at`. `null` if there is no sale. */
            average_days_to_sell: number | null;
            average_discount: components["schemas"]["AverageDiscount"] | null;
            /** @description The number of times that a price was lowered. */
            price_drops: number;
        };
        Figures: {
            /** @description The number of vehicles that came to the lot, by `listed_at`. */
            added: number;
            /** @description The number of sales, by `sold_at`. */
            sold: number;
            /** @description The sum of the sold prices that were entered; a sale without one adds nothing. `null` without the permission `vehicles:write`. */
            sold_value: number | null;
            /** @description Days from `listed_at` to `sold_at`. `null` if there is no sale. */
            average_days_to_sell: number | null;
            average_discount: components["schemas"]["AverageDiscount"] | null;
            /** @description The number of times that a price was lowered. */
            price_drops: number;
        };
        AgeGroup: {
            from: number;
            to: number | null;
            count: number;
            /** @description The sum of the prices. */
            value: number;
        };
        OldestVehicle: {
            id: number;
            title: string | null;
            stock_number: string | null;
            listed_at: string;
            days_on_lot: number;
            price: number;
        };
        LotNow: {
            /** @description The number of unsold vehicles by whole days on the lot: 0–30, 31–60, 61–90, and more. */
            ages: components["schemas"]["AgeGroup"][];
            /** @description The ten vehicles that have been on the lot for longest, the oldest first. */
            oldest: components["schemas"]["OldestVehicle"][];
        };
        Report: {
            /** @description Every month of the period, the earliest first. */
            months: components["schemas"]["MonthFigures"][];
            total: components["schemas"]["Figures"];
            now: components["schemas"]["LotNow"];
        };
        DealerFigures: {
            dealer_id: number;
            name: string;
            /** @description The number of vehicles that came to the lot, by `listed_at`. */
            added: number;
            /** @description The number of sales, by `sold_at`. */
            sold: number;
            /** @description The sum of the sold prices that were entered; a sale without one adds nothing. `null` without the permission `vehicles:write`. */
            sold_value: number | null;
            /** @description Days from `listed_at` to `sold_at`. `null` if there is no sale. */
            average_days_to_sell: number | null;
            average_discount: components["schemas"]["AverageDiscount"] | null;
            /** @description The number of times that a price was lowered. */
            price_drops: number;
        };
        OverallReport: {
            /** @description Every month of the period, the earliest first. */
            months: components["schemas"]["MonthFigures"][];
            total: components["schemas"]["Figures"];
            now: components["schemas"]["LotNow"];
            /** @description The totals of all dealers that the caller can access, ordered by id. */
            dealers: components["schemas"]["DealerFigures"][];
        };
        OnLot: {
            count: number;
            /** @description The sum of the prices. */
            value: number;
        };
        AverageAge: {
            /** @description Whole days of 24 hours on the lot. */
            now: number;
            week_ago: number;
        };
        SoldByThisDay: {
            this_month: number;
            /** @description From the first of last month to the same day of it. */
            last_month: number;
        };
        LeftOutReason: {
            rule: "unpublished" | "not_arrived" | "required_empty" | "recommended_empty" | "vin_form" | "vin_check_digit" | "vin_twice" | "id_twice" | "price_zero" | "image_missing" | "image_http" | "link_store_code" | "price_type_missing" | "asked_by_country" | "store_code_missing" | "link_missing" | "condition_unknown" | "body_unknown" | "photos_few" | "photo_shared" | "coming_soon" | "description_short" | "description_capitals" | "description_link" | "trim_missing" | "days_many" | "price_off_peers" | "mileage_low" | "vin_placeholder" | "dates_swapped" | "vin_year" | "vin_make" | "vin_repeated";
            /** @description The field that the rule is about. */
            field: string | null;
            /** @description The number of vehicles that it keeps out. */
            count: number;
        };
        LeftOut: {
            feed_id: number;
            name: string;
            channel: "google_vehicle_listings" | "google_vehicle_ads" | "meta" | "tiktok" | "snapchat" | "csv" | "ndjson";
            rows: number;
            left_out: number;
            reason: components["schemas"]["LeftOutReason"] | null;
        };
        AgeFilter: {
            dealer_id: number;
            status: ("available" | "sold" | "pending")[];
            /** @description Whole days of 24 hours on the lot. */
            min_days_on_lot: number;
            /** @description Whole days of 24 hours on the lot. */
            max_days_on_lot?: number;
        };
        ListedAgeGroup: {
            /** @description Whole days of 24 hours on the lot. */
            from: number;
            /** @description Whole days of 24 hours on the lot. */
            to: number | null;
            count: number;
            /** @description The sum of the prices. */
            value: number;
            filter: components["schemas"]["AgeFilter"];
        };
        CrossedVehicle: {
            id: number;
            title: string | null;
            year: number;
            make: string;
            model: string;
            stock_number: string | null;
            /** @description The address of its primary image, or else of its first one. */
            image_url: string | null;
            variants: {
                public: string;
                thumbnail: string;
                medium: string;
                large: string;
            } | null;
            price: number;
            /** @description Whole days of 24 hours on the lot. */
            days_on_lot: number;
            /** @description The days that it crossed: 45, 60 or 90. */
            line: number;
            updated_at: string;
        };
        Crossed: {
            total: number;
            /** @description Up to eight vehicles that reached 45, 60 or 90 days in the last three days, the oldest first. */
            vehicles: components["schemas"]["CrossedVehicle"][];
        };
        TodoReason: {
            rule: "unpublished" | "not_arrived" | "required_empty" | "recommended_empty" | "vin_form" | "vin_check_digit" | "vin_twice" | "id_twice" | "price_zero" | "image_missing" | "image_http" | "link_store_code" | "price_type_missing" | "asked_by_country" | "store_code_missing" | "link_missing" | "condition_unknown" | "body_unknown" | "photos_few" | "photo_shared" | "coming_soon" | "description_short" | "description_capitals" | "description_link" | "trim_missing" | "days_many" | "price_off_peers" | "mileage_low" | "vin_placeholder" | "dates_swapped" | "vin_year" | "vin_make" | "vin_repeated";
            /** @description The field that the rule is about. */
            field: string | null;
            /** @description The number of vehicles that it keeps out. */
            count: number;
            /** @description What is wrong. */
            message: string;
            /** @description What to do about it. */
            fix: string;
        };
        Todo: {
            /** @description `left_out`: vehicles that are not in the file of a feed. `failed_rows`: rows of the last import. `no_sale_price`: vehicles sold in the last 30 days without a sale price, of the 500 that were sold last. `price_differs`: vehicles whose price is not that of any file, of the 500 on the lot whose prices were changed last. `refused_key`: requests of a key in the last 24 hours. */
            kind: "left_out" | "failed_rows" | "no_sale_price" | "price_differs" | "refused_key";
            /** @description The number of these vehicles, rows or requests. */
            count: number;
            /** @description The number of all vehicles, rows or requests. */
            of: number | null;
            /** @description The feed, import or key. */
            id: number | null;
            /** @description The name of the feed or key. */
            name: string | null;
            /** @description The channel of the feed, or the code with which the key is refused most. */
            code: string | null;
            reason: components["schemas"]["TodoReason"] | null;
            /** @description Up to eight of the vehicles, the last sold or changed first. */
            vehicle_ids: number[];
            /** @description For `price_differs`, what the last file said of each of these vehicles. */
            file_prices: number[];
        };
        MonthOfToday: {
            month: string;
            added: number;
            sold: number;
        };
        Today: {
            dealer_id: number;
            on_lot: components["schemas"]["OnLot"];
            average_age: components["schemas"]["AverageAge"];
            sold: components["schemas"]["SoldByThisDay"];
            /** @description Vehicles on the lot without images. `null` if more than 50000 vehicles are on the lot. */
            without_images: number | null;
            /** @description The active feeds of this dealer alone, as their channels last fetched them, those that leave out most first. `reason` is the rule that keeps most vehicles out. `null` without the permission `feeds:read`. */
            left_out: components["schemas"]["LeftOut"][] | null;
            /** @description The vehicles on the lot by days: 0–30, 31–60, 61–90, and more. `filter` has the parameters of `GET /api/vehicles` that list them. */
            ages: components["schemas"]["ListedAgeGroup"][];
            crossed: components["schemas"]["Crossed"];
            /** @description What to do next, in the order of the kinds. What the caller may not see is not in it: feeds need `feeds:read`, imports, sales and corrections `vehicles:write`, keys `keys:read`. */
            do_next: components["schemas"]["Todo"][];
            /** @description The last twelve months up to today, the earliest first. */
            months: components["schemas"]["MonthOfToday"][];
            timestamp: string;
        };
        Permission: {
            resource: "vehicles" | "dealers" | "keys" | "users" | "audit" | "feeds" | "webhooks";
            action: "read" | "write" | "delete";
        };
        ApiKey: {
            id: number;
            name: string;
            app_type: "web" | "desktop" | "mobile";
            app_id: string;
            description: string | null;
            /** @description Binds the key to one dealer. */
            dealer_id: number | null;
            /** @description Ties the key to a user. The key has the user's permissions. */
            user_id: number | null;
            /** @description Determined by `dealer_id` and `user_id`. If sent, it must agree with them. */
            association: "dealer" | "user" | "none";
            /** @description A time in the future, in ISO 8601 with a time zone. */
            expires_at: string | null;
            permissions: components["schemas"]["Permission"][];
            /** @description The limit in requests a minute, instead of that of the app type. */
            rate_limit: number | null;
            public: boolean;
            /** @description The origins whose pages may use the key. `null`: any. Requests without an origin are not affected. */
            allowed_origins: string[] | null;
            /** @description The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`. */
            allowed_networks: string[] | null;
            /** @description Where notices of the key are mailed, instead of to its user. */
            owner_email: string | null;
            active: boolean;
            /** @description The first characters of the key, to recognise it by. */
            key_start: string;
            bound_dealer_id: number | null;
            effective_rate_limit: number;
            /** @description `idle` for a key that the service switched off because nobody used it. */
            disabled_reason: "idle" | null;
            /** @description When the service switches it off, as nobody uses it. `null` unless there was a notice of that. */
            idle_ends_at: string | null;
            last_used_at: string | null;
            /** @description When the previous secret stops working. `null` if it no longer works. */
            grace_until: string | null;
            /** @description The first characters of the previous secret. */
            grace_key_start: string | null;
            /** @description When the previous secret was last used after the rotation. */
            grace_last_used_at: string | null;
            /** @description The number of uses of the previous secret since midnight UTC. */
            grace_uses_today: number | null;
            created_at: string;
            updated_at: string;
            /** @description With `include=names`: the name of the record that `dealer_id` refers to. */
            dealer_name?: string | null;
            /** @description With `include=names`: the name of the record that `bound_dealer_id` refers to. */
            bound_dealer_name?: string | null;
            /** @description With `include=names`: the name of the record that `user_id` refers to. */
            user_name?: string | null;
            /** @description With `include=names`: false if the user of the key is inactive, and the key therefore refused. `null` if the name is `null`. */
            user_active?: boolean | null;
            /** @description With `include=usage`, in the present hour and the 23 before: the requests of the key. */
            requests_24h?: number;
            /** @description With `include=usage`, in the present hour and the 23 before: those that were refused, as they were over the limit, denied, or unauthorized. */
            refused_24h?: number;
            /** @description With `include=usage`, in the present hour and the 23 before: what most of the refused requests ran into. `null` if none was refused. */
            refused_mostly?: "limited" | "denied" | "unauthorized" | null;
        };
        NewApiKey: {
            name: string;
            app_type: "web" | "desktop" | "mobile";
            app_id: string;
            description?: string | null;
            /** @description Binds the key to one dealer. */
            dealer_id?: number | null;
            /** @description Ties the key to a user. The key has the user's permissions. */
            user_id?: number | null;
            /** @description Determined by `dealer_id` and `user_id`. If sent, it must agree with them. */
            association?: "dealer" | "user" | "none";
            /** @description A time in the future, in ISO 8601 with a time zone. */
            expires_at?: string | null;
            permissions?: components["schemas"]["Permission"][];
            /** @description The limit in requests a minute, instead of that of the app type. */
            rate_limit?: number | null;
            /** @description True for a key that a page shows to everybody. It must be a web key that is bound to a dealer and only reads vehicles and dealers. Its limit holds for each client address, and ten times as much for all. Answered as true or false. Default: false. */
            public?: true | false | 1 | 0;
            /** @description The origins whose pages may use the key. `null`: any. Requests without an origin are not affected. */
            allowed_origins?: string[] | null;
            /** @description The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`. */
            allowed_networks?: string[] | null;
            /** @description Where notices of the key are mailed, instead of to its user. */
            owner_email?: string | null;
            /** @description Answered as true or false. Default: true. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly api_key?: unknown;
            /** @description Accepted and ignored. */
            readonly key_start?: unknown;
            /** @description Accepted and ignored. */
            readonly bound_dealer_id?: unknown;
            /** @description Accepted and ignored. */
            readonly effective_rate_limit?: unknown;
            /** @description Accepted and ignored. */
            readonly disabled_reason?: unknown;
            /** @description Accepted and ignored. */
            readonly idle_ends_at?: unknown;
            /** @description Accepted and ignored. */
            readonly last_used_at?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_key_start?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_last_used_at?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_uses_today?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly bound_dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly user_name?: unknown;
            /** @description Accepted and ignored. */
            readonly user_active?: unknown;
            /** @description Accepted and ignored. */
            readonly requests_24h?: unknown;
            /** @description Accepted and ignored. */
            readonly refused_24h?: unknown;
            /** @description Accepted and ignored. */
            readonly refused_mostly?: unknown;
        };
        ApiKeyWithSecret: {
            id: number;
            name: string;
            app_type: "web" | "desktop" | "mobile";
            app_id: string;
            description: string | null;
            /** @description Binds the key to one dealer. */
            dealer_id: number | null;
            /** @description Ties the key to a user. The key has the user's permissions. */
            user_id: number | null;
            /** @description Determined by `dealer_id` and `user_id`. If sent, it must agree with them. */
            association: "dealer" | "user" | "none";
            /** @description A time in the future, in ISO 8601 with a time zone. */
            expires_at: string | null;
            permissions: components["schemas"]["Permission"][];
            /** @description The limit in requests a minute, instead of that of the app type. */
            rate_limit: number | null;
            public: boolean;
            /** @description The origins whose pages may use the key. `null`: any. Requests without an origin are not affected. */
            allowed_origins: string[] | null;
            /** @description The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`. */
            allowed_networks: string[] | null;
            /** @description Where notices of the key are mailed, instead of to its user. */
            owner_email: string | null;
            active: boolean;
            /** @description The first characters of the key, to recognise it by. */
            key_start: string;
            bound_dealer_id: number | null;
            effective_rate_limit: number;
            /** @description `idle` for a key that the service switched off because nobody used it. */
            disabled_reason: "idle" | null;
            /** @description When the service switches it off, as nobody uses it. `null` unless there was a notice of that. */
            idle_ends_at: string | null;
            last_used_at: string | null;
            /** @description When the previous secret stops working. `null` if it no longer works. */
            grace_until: string | null;
            /** @description The first characters of the previous secret. */
            grace_key_start: string | null;
            /** @description When the previous secret was last used after the rotation. */
            grace_last_used_at: string | null;
            /** @description The number of uses of the previous secret since midnight UTC. */
            grace_uses_today: number | null;
            created_at: string;
            updated_at: string;
            /** @description The secret. It is shown only in this answer. */
            api_key: string | null;
            /**
             * @description The request was sent before: its first answer had the secret, which is `null` here.
             * @constant
             */
            secret_shown_before?: true;
        };
        ApiKeyChanges: {
            name?: string;
            app_type?: "web" | "desktop" | "mobile";
            /** @description Cannot be changed. */
            app_id?: string;
            description?: string | null;
            /** @description Binds the key to one dealer. */
            dealer_id?: number | null;
            /** @description Ties the key to a user. The key has the user's permissions. */
            user_id?: number | null;
            /** @description Determined by `dealer_id` and `user_id`. If sent, it must agree with them. */
            association?: "dealer" | "user" | "none";
            /** @description A time in the future, in ISO 8601 with a time zone. */
            expires_at?: string | null;
            permissions?: components["schemas"]["Permission"][];
            /** @description The limit in requests a minute, instead of that of the app type. */
            rate_limit?: number | null;
            /** @description True for a key that a page shows to everybody. It must be a web key that is bound to a dealer and only reads vehicles and dealers. Its limit holds for each client address, and ten times as much for all. Answered as true or false. Default: false. */
            public?: true | false | 1 | 0;
            /** @description The origins whose pages may use the key. `null`: any. Requests without an origin are not affected. */
            allowed_origins?: string[] | null;
            /** @description The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`. */
            allowed_networks?: string[] | null;
            /** @description Where notices of the key are mailed, instead of to its user. */
            owner_email?: string | null;
            /** @description Answered as true or false. Default: true. */
            active?: true | false | 1 | 0;
            /** @description If true, the calling key may exclude the caller's own address from its `allowed_networks`. Otherwise that is a 400. */
            confirm_lockout?: true | false | 1 | 0;
            /** @description If true, the key gets a new secret in the same transaction, which is in the answer. Its old secrets end. */
            rotate?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly api_key?: unknown;
            /** @description Accepted and ignored. */
            readonly key_start?: unknown;
            /** @description Accepted and ignored. */
            readonly bound_dealer_id?: unknown;
            /** @description Accepted and ignored. */
            readonly effective_rate_limit?: unknown;
            /** @description Accepted and ignored. */
            readonly disabled_reason?: unknown;
            /** @description Accepted and ignored. */
            readonly idle_ends_at?: unknown;
            /** @description Accepted and ignored. */
            readonly last_used_at?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_until?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_key_start?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_last_used_at?: unknown;
            /** @description Accepted and ignored. */
            readonly grace_uses_today?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly bound_dealer_name?: unknown;
            /** @description Accepted and ignored. */
            readonly user_name?: unknown;
            /** @description Accepted and ignored. */
            readonly user_active?: unknown;
            /** @description Accepted and ignored. */
            readonly requests_24h?: unknown;
            /** @description Accepted and ignored. */
            readonly refused_24h?: unknown;
            /** @description Accepted and ignored. */
            readonly refused_mostly?: unknown;
        };
        ChangedApiKey: {
            id: number;
            name: string;
            app_type: "web" | "desktop" | "mobile";
            app_id: string;
            description: string | null;
            /** @description Binds the key to one dealer. */
            dealer_id: number | null;
            /** @description Ties the key to a user. The key has the user's permissions. */
            user_id: number | null;
            /** @description Determined by `dealer_id` and `user_id`. If sent, it must agree with them. */
            association: "dealer" | "user" | "none";
            /** @description A time in the future, in ISO 8601 with a time zone. */
            expires_at: string | null;
            permissions: components["schemas"]["Permission"][];
            /** @description The limit in requests a minute, instead of that of the app type. */
            rate_limit: number | null;
            public: boolean;
            /** @description The origins whose pages may use the key. `null`: any. Requests without an origin are not affected. */
            allowed_origins: string[] | null;
            /** @description The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`. */
            allowed_networks: string[] | null;
            /** @description Where notices of the key are mailed, instead of to its user. */
            owner_email: string | null;
            active: boolean;
            /** @description The first characters of the key, to recognise it by. */
            key_start: string;
            bound_dealer_id: number | null;
            effective_rate_limit: number;
            /** @description `idle` for a key that the service switched off because nobody used it. */
            disabled_reason: "idle" | null;
            /** @description When the service switches it off, as nobody uses it. `null` unless there was a notice of that. */
            idle_ends_at: string | null;
            last_used_at: string | null;
            /** @description When the previous secret stops working. `null` if it no longer works. */
            grace_until: string | null;
            /** @description The first characters of the previous secret. */
            grace_key_start: string | null;
            /** @description When the previous secret was last used after the rotation. */
            grace_last_used_at: string | null;
            /** @description The number of uses of the previous secret since midnight UTC. */
            grace_uses_today: number | null;
            created_at: string;
            updated_at: string;
            /** @description The new secret, if `rotate` was sent. It is shown only in this answer. */
            api_key?: string | null;
            /**
             * @description The request was sent before: its first answer had the secret, which is `null` here.
             * @constant
             */
            secret_shown_before?: true;
        };
        ApiKeyRotation: {
            /** @description How long the previous secret continues to work, in seconds. Default: 0. */
            grace_seconds?: number;
        };
        UsageHour: {
            hour: string;
            /** @description Requests that were answered, including those with a mistake of the client. */
            served: number;
            /** @description Requests that were refused with 403. */
            denied: number;
            /** @description Requests above the key's limit, which got 429. */
            limited: number;
            /** @description Requests that failed with a status of 500 or above. */
            failed: number;
            /** @description Requests after the key or its secret had ended or was revoked. */
            unauthorized: number;
        };
        LastUse: {
            at: string;
            address: string | null;
            user_agent: string | null;
        };
        Refusals: {
            /** @description `limited`: over the key's limit. `denied`: refused with 403. `unauthorized`: the key had ended. */
            outcome: "limited" | "denied" | "unauthorized";
            requests: number;
            first_hour: string;
            last_hour: string;
        };
        Denial: {
            at: string;
            status: number;
            code: string;
            method: string;
            route: string;
            address: string;
        };
        ApiKeyUsage: {
            key_id: number;
            /** @description Oldest first. Hours without requests are left out. */
            hours: components["schemas"]["UsageHour"][];
            last_use: components["schemas"]["LastUse"] | null;
            /** @description The refused requests of these hours by kind, the most frequent kind first. */
            refusals: components["schemas"]["Refusals"][];
            /** @description The latest 20 requests that were denied or unauthorized, newest first. */
            recent_denials: components["schemas"]["Denial"][];
        };
        DealerOfKey: {
            id: number;
            name: string;
            address: string;
            city: string;
            state: string;
            zip: string;
            /** @description Set it together with `longitude`. If neither is set, both are answered as the approximate location of the ZIP code. */
            latitude: number | null;
            longitude: number | null;
            phone: string;
            email: string;
            website: string | null;
            logo_url: string | null;
            hours: {
                monday?: string;
                tuesday?: string;
                wednesday?: string;
                thursday?: string;
                friday?: string;
                saturday?: string;
                sunday?: string;
            } | null;
        };
        Me: {
            key: {
                id: number;
                name: string;
                app_type: "web" | "desktop" | "mobile";
                association: "dealer" | "user" | "none";
                expires_at: string | null;
                /** @description True for a key that pages may show to everybody. */
                public: boolean;
                allowed_networks: string[] | null;
            };
            dealer: components["schemas"]["DealerOfKey"] | null;
            bound_dealer_id: number | null;
            permissions: components["schemas"]["Permission"][];
            /** @description The same as in the header `RateLimit` of this answer. */
            limits: {
                /** @description The requests a minute of the tightest limit. */
                per_minute: number;
                remaining: number;
                reset_seconds: number;
            };
            /** @description The address that the request came from, as the service sees it. */
            address: string;
        };
        User: {
            id: number;
            name: string;
            email: string;
            role: "super_admin" | "dealer_admin" | "user";
            /** @description Required for a `dealer_admin`, forbidden for a `super_admin`. */
            dealer_id: number | null;
            permissions: components["schemas"]["Permission"][];
            active: boolean;
            /** @description True if the user was invited and has never set a password. */
            invited: boolean;
            created_at: string;
            updated_at: string;
            /** @description With `include=names`: the name of the record that `dealer_id` refers to. */
            dealer_name?: string | null;
        };
        NewUser: {
            name: string;
            email: string;
            role: "super_admin" | "dealer_admin" | "user";
            /** @description Required for a `dealer_admin`, forbidden for a `super_admin`. */
            dealer_id?: number | null;
            permissions?: components["schemas"]["Permission"][];
            /** @description Answered as true or false. Default: true. */
            active?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly invited?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
        };
        UserChanges: {
            name?: string;
            email?: string;
            role?: "super_admin" | "dealer_admin" | "user";
            /** @description Required for a `dealer_admin`, forbidden for a `super_admin`. */
            dealer_id?: number | null;
            permissions?: components["schemas"]["Permission"][];
            /** @description Answered as true or false. Default: true. */
            active?: true | false | 1 | 0;
            /** @description If true, all keys of the user get new secrets in the same transaction, which are in the answer. The old secrets end. */
            rotate_keys?: true | false | 1 | 0;
            /** @description Accepted and ignored. */
            readonly id?: unknown;
            /** @description Accepted and ignored. */
            readonly invited?: unknown;
            /** @description Accepted and ignored. */
            readonly created_at?: unknown;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
            /** @description Accepted and ignored. */
            readonly dealer_name?: unknown;
        };
        RotatedApiKey: {
            id: number;
            name: string;
            api_key: string | null;
            /**
             * @description The request was sent before: its first answer had the secret, which is `null` here.
             * @constant
             */
            secret_shown_before?: true;
        };
        ChangedUser: {
            id: number;
            name: string;
            email: string;
            role: "super_admin" | "dealer_admin" | "user";
            /** @description Required for a `dealer_admin`, forbidden for a `super_admin`. */
            dealer_id: number | null;
            permissions: components["schemas"]["Permission"][];
            active: boolean;
            /** @description True if the user was invited and has never set a password. */
            invited: boolean;
            created_at: string;
            updated_at: string;
            /** @description All keys of the user with their new secrets, if `rotate_keys` was sent. They are shown only in this answer. */
            keys?: components["schemas"]["RotatedApiKey"][];
        };
        AuditEntry: {
            id: number;
            at: string;
            actor: components["schemas"]["AuditActor"];
            via: "api" | "portal" | "command" | "service";
            action: "vehicle.created" | "vehicle.changed" | "vehicle.moved" | "vehicle.status_changed" | "vehicle.price_changed" | "vehicle.sale_changed" | "vehicle.removed" | "vehicle.restored" | "vehicle.purged" | "vehicle.seeded" | "image.added" | "image.changed" | "image.ordered" | "image.removed" | "dealer.created" | "dealer.changed" | "dealer.deactivated" | "dealer.activated" | "dealer.seeded" | "source.created" | "source.changed" | "source.removed" | "source.imported" | "source.failing" | "source.switched-off" | "key.created" | "key.changed" | "key.rebound" | "key.revoked" | "key.reactivated" | "key.transferred" | "key.permissions_changed" | "key.expiry_changed" | "key.rotated" | "key.grace-ended" | "key.expiring" | "key.idle" | "key.removed" | "settings.changed" | "import.ended" | "mapping.created" | "mapping.changed" | "mapping.removed" | "feed.created" | "feed.changed" | "feed.rotated" | "feed.released" | "feed.removed" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.removed" | "webhook.failing" | "webhook.switched-off" | "schedule.created" | "schedule.cancelled" | "schedule.ended" | "user.created" | "user.changed" | "user.moved" | "user.deactivated" | "user.reactivated" | "user.role_changed" | "user.permissions_changed" | "user.email_changed" | "session.started" | "session.ended" | "user.sign-in-failed" | "user.invited" | "user.invitation-used" | "user.password-changed" | "user.second-factor-on" | "user.second-factor-off" | "user.second-factor-reset" | "user.recovery-codes-renewed" | "user.sessions-ended" | "user.locked-out" | "access.denied";
            resource: "vehicles" | "images" | "dealers" | "keys" | "users" | "settings" | "sources" | "imports" | "feeds" | "webhooks" | "mappings" | "schedules" | null;
            resource_id: number | null;
            /** @description The name of the record at that time, such as `2024 Toyota Camry`. For an image, that of its vehicle. */
            record_name: string | null;
            /** @description The dealer that the record belonged to. For records that left a dealer or came to it, the dealer sees its own id. */
            dealer_id: number | null;
            /** @description The changed fields as they were; the whole record where it was removed. Texts of more than 1000 characters are cut, and their length and SHA-256 follow. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The changed fields as they became; the whole record where it was created. Long texts are cut, too. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The client's address. */
            address: string | null;
            request_id: string | null;
            /** @description The import that made the change. */
            import_id: number | null;
            /** @description The bulk change, import, batch or change in the portal that it is a part of. */
            change_id: string | null;
            /** @description The change that it reverted. */
            reverts: string | null;
            /** @description With `include=names`: the name of the record that `dealer_id` refers to. */
            dealer_name?: string | null;
        };
        Settings: {
            /** @description The name of the installation. */
            name: string;
            /** @description The currency of every price (ISO 4217). */
            currency: string;
            /** @description The unit of every mileage and electric range. */
            distance_unit: "mi" | "km";
            /** @description The order of day and month in dates of files, such as 05/06/2026, if no cell of a file decides it: `dmy` in most countries, `mdy` in the US. */
            date_order: "dmy" | "mdy";
            /** @description The time zone (IANA) in which the portal shows times. `null` means the time zone of each viewer. Answers of the API are always in UTC. */
            time_zone: string | null;
            /** @description A vehicle that comes back within so many days after its sale undoes the sale. Later the sale stands, and the vehicle's second stay on the lot begins. */
            resale_days: number;
            field_owners: components["schemas"]["FieldOwners"];
            /** @description A PNG, JPEG or WebP image of up to 64 kB, as a data URL. */
            logo: string | null;
            updated_at: string;
        };
        SettingsChanges: {
            /** @description The name of the installation. */
            name?: string;
            /** @description The currency of every price (ISO 4217). */
            currency?: string;
            /** @description The unit of every mileage and electric range. */
            distance_unit?: "mi" | "km";
            /** @description The order of day and month in dates of files, such as 05/06/2026, if no cell of a file decides it: `dmy` in most countries, `mdy` in the US. */
            date_order?: "dmy" | "mdy";
            /** @description The time zone (IANA) in which the portal shows times. `null` means the time zone of each viewer. Answers of the API are always in UTC. */
            time_zone?: string | null;
            /** @description A vehicle that comes back within so many days after its sale undoes the sale. Later the sale stands, and the vehicle's second stay on the lot begins. */
            resale_days?: number;
            field_owners?: components["schemas"]["FieldOwners"];
            /** @description A PNG, JPEG or WebP image of up to 64 kB, as a data URL. */
            logo?: string | null;
            /** @description Accepted and ignored. */
            readonly updated_at?: unknown;
        };
        /** @description A code for programs. */
        ErrorCode: "invalid_input" | "invalid_json" | "app_type_mismatch" | "import_file_unreadable" | "target_refused" | "api_key_missing" | "api_key_invalid" | "sign_in_failed" | "signed_out" | "second_factor_required" | "cross_origin" | "origin_not_allowed" | "network_not_allowed" | "permission_missing" | "dealer_bound" | "not_your_dealer" | "exceeds_your_rights" | "reauthentication_required" | "own_account" | "not_found" | "method_not_allowed" | "upload_too_slow" | "quota_exceeded" | "confirmation_stale" | "duplicate_vehicle" | "dealer_code_taken" | "not_restorable" | "not_revertible" | "not_sold" | "email_taken" | "last_super_admin" | "idempotency_in_progress" | "import_state" | "schedule_state" | "cursor_expired" | "gone" | "precondition_failed" | "body_too_large" | "import_file_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "too_many_jobs" | "locked_out" | "internal_error" | "photos_off" | "search_not_ready" | "outcome_unknown" | "storage_quota" | "storage_full" | "unavailable";
        ErrorDetail: {
            /** @description The field. Empty if the problem is not one of a single field. */
            path: string;
            /** @description What is wrong, as the end of a sentence that begins with the field's name. */
            message: string;
        };
        ListVehiclesOptions: components["schemas"]["VehicleListFilters"] & {
            /** @description Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /**
             * @description The order of the list. Vehicles with equal values are ordered by descending id, and those without a mileage come last. `near` puts the nearest first, and needs the parameter `near`.
             * @default newest
             */
            sort?: "newest" | "-created" | "oldest" | "updated" | "-updated" | "price" | "-price" | "mileage" | "-mileage" | "year" | "-year" | "days_on_lot" | "-days_on_lot" | "near";
            /** @description Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer; it is `null` if the caller may not read that record. `primary_image` adds the vehicle's primary image, or `null`, and `image_count`. `images` adds all images of the vehicle in their order. `understood` adds to `meta` what each word of `q` stands for; if nothing is found, also how many vehicles there are without it. */
            include?: ("names" | "primary_image" | "images" | "understood") | ("names" | "primary_image" | "images" | "understood")[];
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
            /** @description `meta.next_cursor` of the previous page. The list continues exactly where that page ended. */
            cursor?: string;
        };
        GetVehicleOptions: {
            /** @description Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer; it is `null` if the caller may not read that record. `primary_image` adds the vehicle's primary image, or `null`, and `image_count`. `images` adds all images of the vehicle in their order. */
            include?: ("names" | "primary_image" | "images") | ("names" | "primary_image" | "images")[];
        };
        ExportVehiclesOptions: components["schemas"]["VehicleListFilters"] & {
            /** @description Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /**
             * @description The format of the file.
             * @default csv
             */
            format?: "csv" | "tsv" | "ndjson" | "xlsx";
            /**
             * @description If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Do not import such a table: the apostrophes would become part of the texts.
             * @default false
             */
            spreadsheet?: boolean;
        };
        CountVehiclesByFacetsOptions: components["schemas"]["VehicleListFilters"] & {
            /** @description The facets to count, repeated or separated by commas. Default: all except `days_on_lot` and `dealer`. */
            facets?: ("make" | "model" | "year" | "status" | "stage" | "body_style" | "fuel_type" | "transmission" | "drivetrain" | "condition" | "exterior_color" | "price" | "mileage" | "days_on_lot" | "dealer") | ("make" | "model" | "year" | "status" | "stage" | "body_style" | "fuel_type" | "transmission" | "drivetrain" | "condition" | "exterior_color" | "price" | "mileage" | "days_on_lot" | "dealer")[];
            /** @description Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
        };
        ListRemovedVehiclesOptions: {
            /** @description Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /** @description Only vehicles with all these words, of which there may be up to 8. Every word must begin a word of the year, make, model, trim, title, stock number, VIN, body style, fuel, transmission, drivetrain, engine, colours, condition, features or description, without regard to case and accents. `f-150` finds `F-150`, `F150` and `F 150`. In makes, models and trims neighbouring words count as one, too: `rx350` and `rx 350` find `RX 350` and `RX350`, `landrover` finds `Land Rover`. Other names of a make find it: `vw` finds `Volkswagen`, and the reverse. The last 6 and the last 8 characters of a VIN are also words. A word of three or more characters with a digit, and two digits beside another word, are also found at the end of stock numbers: `red toyota 42`. */
            q?: string;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
        };
        ListRecentChangesOptions: {
            /** @description Only changes of this dealer's vehicles. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. The list continues exactly where that page ended. */
            cursor?: string;
        };
        RevertChangeOptions: {
            /** @description `next` of the previous answer, where the change has more vehicles than one request reverts. */
            after?: number;
            /** @description Only this dealer's vehicles. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /** @description `names` adds the name and the stock number of each vehicle that is there. */
            include?: "names";
        };
        GetQualityOptions: {
            /** @description The dealer whose vehicles are rated. Default: all dealers that the caller can access. */
            dealerId?: number;
        };
        GetVehicleHistoryOptions: {
            /** @description Only changes of this field. */
            field?: "dealer_id" | "mileage" | "price" | "stage" | "status";
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
            /** @description `meta.next_cursor` of the previous page. The list continues exactly where that page ended. */
            cursor?: string;
        };
        ListCorrectionsOptions: {
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. The list continues exactly where that page ended. */
            cursor?: string;
        };
        GetVehicleAdviceOptions: {
            /** @description Another price that is asked about: `at_price` answers. */
            price?: number;
        };
        ListScheduledChangesOptions: {
            /** @description Only those of this dealer's vehicles. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /** @description Only those of this vehicle. */
            vehicleId?: number;
            /** @description Only those in this state. */
            state?: "scheduled" | "running" | "done" | "dropped" | "cancelled";
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ListChangesOptions: {
            /** @description The `next` of the page before, or the `id` of an event. Without it, the whole inventory comes first; with `now`, only what changes from now on. Any key with the same binding can continue. */
            after?: string;
            /** @description The kinds of records, repeated or separated by commas. Default: all that the key may read. `dealer` needs `dealers:read`. */
            kinds?: ("dealer" | "vehicle" | "image") | ("dealer" | "vehicle" | "image")[];
            /** @description Only records of this dealer. For a key that is bound to a dealer, it is always the key's. */
            dealerId?: number;
            /**
             * @description Maximum number of records. There are fewer if they are long.
             * @default 100
             */
            limit?: number;
            /**
             * @description If nothing has changed, the number of seconds for which the answer is held until something has.
             * @default 0
             */
            wait?: number;
        };
        StreamChangesOptions: {
            /** @description The `next` of the page before, or the `id` of an event. Without it, the whole inventory comes first; with `now`, only what changes from now on. Any key with the same binding can continue. */
            after?: string;
            /** @description The kinds of records, repeated or separated by commas. Default: all that the key may read. `dealer` needs `dealers:read`. */
            kinds?: ("dealer" | "vehicle" | "image") | ("dealer" | "vehicle" | "image")[];
            /** @description Only records of this dealer. For a key that is bound to a dealer, it is always the key's. */
            dealerId?: number;
        };
        SuggestVehicleWordsOptions: {
            /** @description Only vehicles with all these words, of which there may be up to 8. Every word must begin a word of the year, make, model, trim, title, stock number, VIN, body style, fuel, transmission, drivetrain, engine, colours, condition, features or description, without regard to case and accents. `f-150` finds `F-150`, `F150` and `F 150`. In makes, models and trims neighbouring words count as one, too: `rx350` and `rx 350` find `RX 350` and `RX350`, `landrover` finds `Land Rover`. Other names of a make find it: `vw` finds `Volkswagen`, and the reverse. The last 6 and the last 8 characters of a VIN are also words. A word of three or more characters with a digit, and two digits beside another word, are also found at the end of stock numbers: `red toyota 42`. */
            q?: string;
            /**
             * @description How many suggestions, up to 20.
             * @default 10
             */
            limit?: number;
        };
        ListImagesOptions: {
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
        };
        CreateImportOptions: {
            /** @description The dealer of all vehicles in the file. For a bound key, it is replaced by the key's dealer. Without it, the file needs a column for the dealer. */
            dealerId?: number;
            /**
             * @description What the file's column for the dealer contains: the `codes` of dealers, or with `id` their ids here. Files that the service exported always have ids.
             * @default code
             */
            dealerBy?: "code" | "id";
            /**
             * @description Whether rows create vehicles, change them, or both. With `snapshot` they do both, and the file lists the whole inventory.
             * @default upsert
             */
            mode?: "upsert" | "create" | "update" | "snapshot";
            /**
             * @description How the vehicle of a row is found. `auto` uses the VIN if the row has one, and otherwise the stock number. It finds rows of an exported file by their `id`.
             * @default auto
             */
            match?: "auto" | "vin" | "stock_number";
            /**
             * @description With `reject`, all rows are checked first, and nothing is written unless all are valid.
             * @default skip
             */
            onError?: "skip" | "reject";
            /**
             * @description If true, nothing is changed, and the import tells what would happen.
             * @default false
             */
            dryRun?: boolean;
            /**
             * @description With `snapshot`: what happens to unsold vehicles that are missing from the file.
             * @default sold
             */
            missing?: "sold" | "remove" | "report";
            /**
             * @description With `snapshot`: if more than this percentage of vehicles is missing, the import waits for a confirmation.
             * @default 20
             */
            maxMissingPercent?: number;
            /** @description A JSON object with the field for each heading that the service does not know, or `null` for a column that is not read. */
            columns?: string;
            /** @description A JSON object of the fields `status`, `condition`, `fuel_type`, `transmission`, `drivetrain`, `body_style`, `exterior_color` and `interior_color`, each with words of the file and the values that they mean. */
            values?: string;
            /** @description The id of one of the dealer's mappings, which says which fields the columns contain and what words mean. `columns` and `values` take precedence. */
            mapping?: number;
            /**
             * @description What an empty cell does to the field.
             * @default keep
             */
            empty?: "keep" | "clear";
            /**
             * @description What the images of a row do to the existing images of its vehicle. With `keep`, only vehicles without images get them.
             * @default replace
             */
            images?: "replace" | "append" | "keep";
            /**
             * @description If true, the service fetches the photos that the file names, once its rows are done, and keeps them as photos that were sent to it. An address is fetched once for a dealer: the same address is the same photo. What cannot be fetched stays an address, and the row says why.
             * @default false
             */
            fetchImages?: boolean;
            /**
             * @description The character before the cents of a price.
             * @default auto
             */
            decimal?: "auto" | "point" | "comma";
            /**
             * @description With `on`, a value that somebody corrected stays as long as the file says what its last version said; if both changed, the owner of the field decides (`field_owners` of the settings and of import sources). With `off`, the values of the file are written.
             * @default on
             */
            merge?: "on" | "off";
            /**
             * @description The order of day and month in dates such as 05/06/2026. With `auto`, a cell that can only be read in one way decides it for its column; if none does, the setting `date_order` of the installation.
             * @default auto
             */
            dateOrder?: "auto" | "dmy" | "mdy";
            /**
             * @description What happens to a mileage or an electric range that the file has in another unit than the installation. With `keep`, the number stays as it is.
             * @default convert
             */
            units?: "convert" | "keep";
            /**
             * @description What a price in another currency than the installation's means. With `check`, it is not read; with `ignore`, signs and codes of currencies are dropped.
             * @default check
             */
            currency?: "check" | "ignore";
            /** @description The line of a CSV or TSV file, or the row of a sheet, that is its heading. Default: the first of the first 30 rows that looks like one. */
            headingRow?: number;
            /** @description The sheet of a workbook that is read. Default: the first visible sheet with a heading. Other files have no sheets. */
            sheet?: string;
            /** @description The charset of the file, by any of its names. Default: detected. */
            charset?: string;
            /** @description The character between cells. Default: detected. */
            delimiter?: "comma" | "semicolon" | "tab" | "bar" | "," | ";" | "\t" | "|";
        };
        ListImportsOptions: {
            /** @description Only imports of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /** @description Only imports in this state. */
            state?: "queued" | "running" | "previewed" | "needs_confirmation" | "completed" | "failed" | "cancelled";
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ListImportRowsOptions: {
            /** @description Only rows with this outcome. `kept`: rows against which values of their vehicles stayed. */
            outcome?: "created" | "updated" | "unchanged" | "failed" | "skipped" | "missing" | "kept";
            /** @description If true, only rows against which values of their vehicles stayed. */
            kept?: boolean;
            /**
             * @description If true, failed rows have their cells.
             * @default false
             */
            cells?: boolean;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ExportImportErrorsOptions: {
            /**
             * @description If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Programs send `false` to get every text unchanged.
             * @default true
             */
            spreadsheet?: boolean;
            /**
             * @description If true, the file has the delimiter and the charset of the file that came, for the system that made it. A character that the charset does not have becomes a question mark. Otherwise it is comma-separated UTF-8, as it also is for files without delimiters.
             * @default false
             */
            asReceived?: boolean;
        };
        ListImportMappingsOptions: {
            /** @description Only mappings of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ListImportSourcesOptions: {
            /** @description Only sources of this dealer. For a bound key, it is replaced by the key's dealer. */
            dealerId?: number;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ListFeedsOptions: {
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        PreviewFeedOptions: {
            /**
             * @description Maximum number of results.
             * @default 10
             */
            limit?: number;
        };
        ListFeedFindingsOptions: {
            /** @description Only vehicles that break this rule. */
            rule?: string;
            /** @description Only vehicles with an error, or with a warning. */
            severity?: "error" | "warning";
            /** @description Only vehicles with a problem in this field. */
            field?: string;
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
        };
        ListWebhooksOptions: {
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
            /** @description Only webhooks of this dealer. */
            dealerId?: number;
            /** @description Only webhooks in this state: active ones whose last try was a success (`on`) or not (`failing`), or those that are not active (`off`). */
            state?: "on" | "failing" | "off";
        };
        ListWebhookDeliveriesOptions: {
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /** @description `meta.next_cursor` of the previous page. */
            cursor?: string;
            /** @description Only messages in this state. */
            state?: "pending" | "delivered" | "failed";
        };
        ListDealersOptions: {
            /** @description The whole value. Case does not matter. */
            state?: string;
            /** @description The whole value. Case does not matter. */
            city?: string;
            /** @description Only active dealers, or only inactive ones. */
            active?: boolean;
            /** @description Every word must begin a word of name, city, state, email, phone or id, without regard to case and accents. Up to 8 words. */
            q?: string;
            /** @description Only dealers that need help, or only others: the quality of their vehicles is below 70, channels leave vehicles out, a key is refused often, or rows of the last file failed. What the caller may not see does not count. */
            needsHelp?: boolean;
            /**
             * @description The value to sort by. Records with equal values are ordered by id, those without the value come last. The last seven are figures (see `include`), `age` the mean age of the vehicles on the lot. With `-` before it, the order is descending.
             * @default created
             */
            sort?: "created" | "updated" | "name" | "city" | "state" | "vehicles" | "age" | "quality" | "left_out" | "refused_keys" | "last_file" | "last_change" | "-created" | "-updated" | "-name" | "-city" | "-state" | "-vehicles" | "-age" | "-quality" | "-left_out" | "-refused_keys" | "-last_file" | "-last_change";
            /**
             * @description `desc` puts the newest, latest or last first. Not beside a `sort` that begins with `-`.
             * @default desc
             */
            order?: "asc" | "desc";
            /** @description Additional fields. `figures` adds how each dealer stands: its vehicles by age, their quality, what channels leave out, keys that are refused often, the last file and the last change. It needs `vehicles:read`. */
            include?: "figures" | "figures"[];
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
        };
        ListDealerVehiclesOptions: components["schemas"]["VehicleListFilters"] & {
            /** @description Has no effect: the path names the dealer. */
            dealerId?: number;
            /**
             * @description The order of the list. Vehicles with equal values are ordered by descending id, and those without a mileage come last. `near` puts the nearest first, and needs the parameter `near`.
             * @default newest
             */
            sort?: "newest" | "-created" | "oldest" | "updated" | "-updated" | "price" | "-price" | "mileage" | "-mileage" | "year" | "-year" | "days_on_lot" | "-days_on_lot" | "near";
            /** @description Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer; it is `null` if the caller may not read that record. `primary_image` adds the vehicle's primary image, or `null`, and `image_count`. `images` adds all images of the vehicle in their order. `understood` adds to `meta` what each word of `q` stands for; if nothing is found, also how many vehicles there are without it. */
            include?: ("names" | "primary_image" | "images" | "understood") | ("names" | "primary_image" | "images" | "understood")[];
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
            /** @description `meta.next_cursor` of the previous page. The list continues exactly where that page ended. */
            cursor?: string;
        };
        GetDealerReportOptions: {
            /** @description The first day, in UTC. By default the first of a month, so that the report has 12 months with that of `to`. */
            from?: string;
            /** @description The last day, included, at most 400 days with the first; today by default. */
            to?: string;
        };
        GetReportOptions: {
            /** @description The first day, in UTC. By default the first of a month, so that the report has 12 months with that of `to`. */
            from?: string;
            /** @description The last day, included, at most 400 days with the first; today by default. */
            to?: string;
        };
        ListApiKeysOptions: {
            /** @description Only keys that are bound to this dealer. */
            dealerId?: number;
            /** @description Only keys of this user. */
            userId?: number;
            /** @description Only keys of this app type. */
            appType?: "web" | "desktop" | "mobile";
            /** @description Only keys that are not revoked, or only revoked ones. */
            active?: boolean;
            /** @description `revoked`: not active. `expired`: active, but past `expires_at`. `active`: neither of these. */
            status?: "active" | "expired" | "revoked";
            /** @description Only keys that are tied to a dealer, to a user, or to neither. */
            association?: "dealer" | "user" | "none";
            /** @description Only keys with requests that were refused since then: over the limit, denied, or unauthorized. Its whole hour counts. Usage is kept for 90 days. */
            refusedSince?: string;
            /** @description Every word must begin a word of name, description, app_id, key_start, or of the names of the key's dealer and user, as far as the caller may read these, without regard to case and accents. Up to 8 words. In the key's own texts, a part of a word is enough. */
            q?: string;
            /**
             * @description Keys without the value to be sorted by come last. `requests`: the number of requests of the last 24 hours. `refused`: how many of them were refused. `refused_share`: which part of them. With `-` before it, the order is descending.
             * @default created
             */
            sort?: "created" | "name" | "last_used" | "expires" | "requests" | "refused" | "refused_share" | "-created" | "-name" | "-last_used" | "-expires" | "-requests" | "-refused" | "-refused_share";
            /**
             * @description `desc` puts the newest, latest or last first. Not beside a `sort` that begins with `-`.
             * @default desc
             */
            order?: "asc" | "desc";
            /** @description Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer or user; it is `null` if the caller may not read that record. `usage` adds `requests_24h`, `refused_24h` and `refused_mostly`, of the present hour and the 23 before. */
            include?: ("names" | "usage") | ("names" | "usage")[];
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
        };
        ExportApiKeysOptions: {
            /** @description Only keys that are bound to this dealer. */
            dealerId?: number;
            /** @description Only keys of this user. */
            userId?: number;
            /** @description Only keys of this app type. */
            appType?: "web" | "desktop" | "mobile";
            /** @description Only keys that are not revoked, or only revoked ones. */
            active?: boolean;
            /** @description `revoked`: not active. `expired`: active, but past `expires_at`. `active`: neither of these. */
            status?: "active" | "expired" | "revoked";
            /** @description Only keys that are tied to a dealer, to a user, or to neither. */
            association?: "dealer" | "user" | "none";
            /** @description Only keys with requests that were refused since then: over the limit, denied, or unauthorized. Its whole hour counts. Usage is kept for 90 days. */
            refusedSince?: string;
            /** @description Every word must begin a word of name, description, app_id, key_start, or of the names of the key's dealer and user, as far as the caller may read these, without regard to case and accents. Up to 8 words. In the key's own texts, a part of a word is enough. */
            q?: string;
            /**
             * @description The format of the file.
             * @default csv
             */
            format?: "csv" | "tsv" | "ndjson";
            /**
             * @description If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Programs send `false` to get every text unchanged.
             * @default true
             */
            spreadsheet?: boolean;
        };
        GetApiKeyOptions: {
            /** @description Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer or user; it is `null` if the caller may not read that record. `usage` adds `requests_24h`, `refused_24h` and `refused_mostly`, of the present hour and the 23 before. */
            include?: ("names" | "usage") | ("names" | "usage")[];
        };
        GetApiKeyUsageOptions: {
            /** @description The first moment, ISO 8601 with a zone; its whole hour is answered. By default 24 hours are answered. */
            from?: string;
            /** @description The moment behind the last one, at most 90 days after `from`; now by default. */
            to?: string;
        };
        ListUsersOptions: {
            /** @description Only users of this dealer. */
            dealerId?: number;
            /** @description Only users with this role. */
            role?: "super_admin" | "dealer_admin" | "user";
            /** @description Only active users, or only deactivated ones. */
            active?: boolean;
            /** @description Every word must begin a word of name or email, without regard to case and accents. Up to 8 words. */
            q?: string;
            /**
             * @description The value to sort by. Records with equal values are ordered by id. With `-` before it, the order is descending.
             * @default created
             */
            sort?: "created" | "updated" | "name" | "email" | "role" | "-created" | "-updated" | "-name" | "-email" | "-role";
            /**
             * @description `desc` puts the newest, latest or last first. Not beside a `sort` that begins with `-`.
             * @default desc
             */
            order?: "asc" | "desc";
            /** @description `names` adds the name to each id of a dealer or user. It is `null` if the caller may not read that record. */
            include?: "names";
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
        };
        GetUserOptions: {
            /** @description `names` adds the name to each id of a dealer or user. It is `null` if the caller may not read that record. */
            include?: "names";
        };
        ListAuditEntriesOptions: {
            /** @description Only entries of this actor: `key:12`, or `user:3`, which includes the user's keys. */
            actor?: string;
            /** @description Only entries of changes that were made in this way. */
            via?: "api" | "portal" | "command" | "service";
            /** @description Only entries about this kind of record. With `id`, the entries of a vehicle include those of its images. */
            resource?: "vehicles" | "images" | "dealers" | "keys" | "users" | "settings" | "sources" | "imports" | "feeds" | "webhooks" | "mappings" | "schedules";
            /** @description Only entries about the record with this id. Usually sent together with `resource`. */
            id?: number;
            /** @description Only entries about this dealer's records. */
            dealerId?: number;
            /** @description Only entries of this bulk change, import, batch or change in the portal: the `change_id` of its answer. */
            changeId?: string;
            /** @description Every word must begin a word of the name, as it is today, of the person who acted, also with a key, without regard to case and accents. Up to 8 words. */
            person?: string;
            /** @description Only entries of this action. `vehicle.changed` and similar actions find every change of such a record, including changes that have an action of their own. */
            action?: "vehicle.created" | "vehicle.changed" | "vehicle.moved" | "vehicle.status_changed" | "vehicle.price_changed" | "vehicle.sale_changed" | "vehicle.removed" | "vehicle.restored" | "vehicle.purged" | "vehicle.seeded" | "image.added" | "image.changed" | "image.ordered" | "image.removed" | "dealer.created" | "dealer.changed" | "dealer.deactivated" | "dealer.activated" | "dealer.seeded" | "source.created" | "source.changed" | "source.removed" | "source.imported" | "source.failing" | "source.switched-off" | "key.created" | "key.changed" | "key.rebound" | "key.revoked" | "key.reactivated" | "key.transferred" | "key.permissions_changed" | "key.expiry_changed" | "key.rotated" | "key.grace-ended" | "key.expiring" | "key.idle" | "key.removed" | "settings.changed" | "import.ended" | "mapping.created" | "mapping.changed" | "mapping.removed" | "feed.created" | "feed.changed" | "feed.rotated" | "feed.released" | "feed.removed" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.removed" | "webhook.failing" | "webhook.switched-off" | "schedule.created" | "schedule.cancelled" | "schedule.ended" | "user.created" | "user.changed" | "user.moved" | "user.deactivated" | "user.reactivated" | "user.role_changed" | "user.permissions_changed" | "user.email_changed" | "session.started" | "session.ended" | "user.sign-in-failed" | "user.invited" | "user.invitation-used" | "user.password-changed" | "user.second-factor-on" | "user.second-factor-off" | "user.second-factor-reset" | "user.recovery-codes-renewed" | "user.sessions-ended" | "user.locked-out" | "access.denied" | "user.signed-in" | "user.signed-out";
            /** @description Only entries from this time on. */
            from?: string;
            /** @description Only entries before this time. */
            to?: string;
            /** @description `names` adds the name to each id of a dealer or user. It is `null` if the caller may not read that record. */
            include?: "names";
            /**
             * @description Maximum number of results.
             * @default 100
             */
            limit?: number;
            /**
             * @description Number of results to skip.
             * @default 0
             */
            offset?: number;
            /** @description The cursor in the `Link` header of the previous page. It replaces `offset`. */
            cursor?: string;
        };
        ExportAuditEntriesOptions: {
            /** @description Only entries of this actor: `key:12`, or `user:3`, which includes the user's keys. */
            actor?: string;
            /** @description Only entries of changes that were made in this way. */
            via?: "api" | "portal" | "command" | "service";
            /** @description Only entries about this kind of record. With `id`, the entries of a vehicle include those of its images. */
            resource?: "vehicles" | "images" | "dealers" | "keys" | "users" | "settings" | "sources" | "imports" | "feeds" | "webhooks" | "mappings" | "schedules";
            /** @description Only entries about the record with this id. Usually sent together with `resource`. */
            id?: number;
            /** @description Only entries about this dealer's records. */
            dealerId?: number;
            /** @description Only entries of this bulk change, import, batch or change in the portal: the `change_id` of its answer. */
            changeId?: string;
            /** @description Every word must begin a word of the name, as it is today, of the person who acted, also with a key, without regard to case and accents. Up to 8 words. */
            person?: string;
            /** @description Only entries of this action. `vehicle.changed` and similar actions find every change of such a record, including changes that have an action of their own. */
            action?: "vehicle.created" | "vehicle.changed" | "vehicle.moved" | "vehicle.status_changed" | "vehicle.price_changed" | "vehicle.sale_changed" | "vehicle.removed" | "vehicle.restored" | "vehicle.purged" | "vehicle.seeded" | "image.added" | "image.changed" | "image.ordered" | "image.removed" | "dealer.created" | "dealer.changed" | "dealer.deactivated" | "dealer.activated" | "dealer.seeded" | "source.created" | "source.changed" | "source.removed" | "source.imported" | "source.failing" | "source.switched-off" | "key.created" | "key.changed" | "key.rebound" | "key.revoked" | "key.reactivated" | "key.transferred" | "key.permissions_changed" | "key.expiry_changed" | "key.rotated" | "key.grace-ended" | "key.expiring" | "key.idle" | "key.removed" | "settings.changed" | "import.ended" | "mapping.created" | "mapping.changed" | "mapping.removed" | "feed.created" | "feed.changed" | "feed.rotated" | "feed.released" | "feed.removed" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.removed" | "webhook.failing" | "webhook.switched-off" | "schedule.created" | "schedule.cancelled" | "schedule.ended" | "user.created" | "user.changed" | "user.moved" | "user.deactivated" | "user.reactivated" | "user.role_changed" | "user.permissions_changed" | "user.email_changed" | "session.started" | "session.ended" | "user.sign-in-failed" | "user.invited" | "user.invitation-used" | "user.password-changed" | "user.second-factor-on" | "user.second-factor-off" | "user.second-factor-reset" | "user.recovery-codes-renewed" | "user.sessions-ended" | "user.locked-out" | "access.denied" | "user.signed-in" | "user.signed-out";
            /** @description Only entries from this time on. */
            from?: string;
            /** @description Only entries before this time. */
            to?: string;
            /**
             * @description The format of the file.
             * @default csv
             */
            format?: "csv" | "tsv" | "ndjson";
            /**
             * @description If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Programs send `false` to get every text unchanged.
             * @default true
             */
            spreadsheet?: boolean;
        };
        VehicleListFilters: {
            /** @description Only vehicles with this status. Up to 20 times; then any of them. */
            status?: ("available" | "sold" | "pending") | ("available" | "sold" | "pending")[];
            /** @description Only vehicles with this stage. Up to 20 times; then any of them. */
            stage?: ("due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale") | ("due_in" | "in_transit" | "in_prep" | "reserved" | "deposit" | "on_hold" | "delivered" | "wholesale")[];
            /** @description If true, only featured vehicles. If false, only others. */
            featured?: boolean;
            /** @description The whole name. Case, accents, blanks and signs do not matter: `f150` is `F-150`. Up to 20 times; then any of them. */
            make?: string | string[];
            /** @description The whole name. Case, accents, blanks and signs do not matter: `f150` is `F-150`. Up to 20 times; then any of them. */
            model?: string | string[];
            /** @description Only vehicles of this year. */
            year?: number;
            /** @description The lowest price. */
            minPrice?: number;
            /** @description The highest price. */
            maxPrice?: number;
            /** @description The first year. */
            minYear?: number;
            /** @description The last year. */
            maxYear?: number;
            /** @description The lowest mileage. Vehicles without a mileage do not match. */
            minMileage?: number;
            /** @description The highest mileage. Vehicles without a mileage do not match. */
            maxMileage?: number;
            /** @description The shortest range on the battery alone. Vehicles without a range do not match. */
            minElectricRange?: number;
            /** @description The longest range on the battery alone. Vehicles without a range do not match. */
            maxElectricRange?: number;
            /** @description Only vehicles with this number of doors. */
            doors?: number;
            /** @description The minimum of whole days on the lot, from `listed_at` to `sold_at`, or to now. */
            minDaysOnLot?: number;
            /** @description The maximum of whole days on the lot, from `listed_at` to `sold_at`, or to now. */
            maxDaysOnLot?: number;
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            bodyStyle?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            fuelType?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            transmission?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            drivetrain?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            condition?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            exteriorColor?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            interiorColor?: string | string[];
            /** @description The whole value. Case and accents do not matter. Up to 20 times; then any of them. */
            trim?: string | string[];
            /** @description The whole value. Case does not matter. */
            vin?: string;
            /** @description The whole value. Case does not matter. */
            stockNumber?: string;
            /** @description Only vehicles with all these words, of which there may be up to 8. Every word must begin a word of the year, make, model, trim, title, stock number, VIN, body style, fuel, transmission, drivetrain, engine, colours, condition, features or description, without regard to case and accents. `f-150` finds `F-150`, `F150` and `F 150`. In makes, models and trims neighbouring words count as one, too: `rx350` and `rx 350` find `RX 350` and `RX350`, `landrover` finds `Land Rover`. Other names of a make find it: `vw` finds `Volkswagen`, and the reverse. The last 6 and the last 8 characters of a VIN are also words. A word of three or more characters with a digit, and two digits beside another word, are also found at the end of stock numbers: `red toyota 42`. */
            q?: string;
            /** @description If true, only vehicles with images. If false, only those without. */
            hasImages?: boolean;
            /** @description Only vehicles that were created at this time or later. */
            createdSince?: string;
            /** @description Only vehicles that were created or changed at this time or later. */
            updatedSince?: string;
            /** @description Only vehicles that were sold at this time or later. */
            soldSince?: string;
            /** @description Only vehicles of dealers near this ZIP code or `latitude,longitude`. Needs `radius`. */
            near?: string;
            /** @description The maximum distance of dealers from `near`. */
            radius?: number;
            /**
             * @description The unit of `radius`: miles or kilometres.
             * @default mi
             */
            radiusUnit?: "mi" | "km";
        };
    };
}
export type UnderstoodWord = components['schemas']['UnderstoodWord'];
export type VehiclePageMeta = components['schemas']['VehiclePageMeta'];
export type Image = components['schemas']['Image'];
export type Vehicle = components['schemas']['Vehicle'];
export type VehiclePage = components['schemas']['VehiclePage'];
export type ImageOfVehicle = components['schemas']['ImageOfVehicle'];
export type NewVehicle = components['schemas']['NewVehicle'];
export type VehicleChanges = components['schemas']['VehicleChanges'];
export type Done = components['schemas']['Done'];
export type VehicleFilter = components['schemas']['VehicleFilter'];
export type PriceByAmount = components['schemas']['PriceByAmount'];
export type PriceByPercent = components['schemas']['PriceByPercent'];
export type BulkVehicleChanges = components['schemas']['BulkVehicleChanges'];
export type BulkChange = components['schemas']['BulkChange'];
export type BulkIssue = components['schemas']['BulkIssue'];
export type BulkResult = components['schemas']['BulkResult'];
export type BulkResults = components['schemas']['BulkResults'];
export type BatchItem = components['schemas']['BatchItem'];
export type VehicleBatch = components['schemas']['VehicleBatch'];
export type BatchIssue = components['schemas']['BatchIssue'];
export type BatchResult = components['schemas']['BatchResult'];
export type BatchCounts = components['schemas']['BatchCounts'];
export type BatchResults = components['schemas']['BatchResults'];
export type VehicleFacetsMeta = components['schemas']['VehicleFacetsMeta'];
export type FacetAmounts = components['schemas']['FacetAmounts'];
export type VehicleFacets = components['schemas']['VehicleFacets'];
export type RemovedVehiclePageMeta = components['schemas']['RemovedVehiclePageMeta'];
export type RemovedBy = components['schemas']['RemovedBy'];
export type RemovedVehicle = components['schemas']['RemovedVehicle'];
export type RemovedVehiclePage = components['schemas']['RemovedVehiclePage'];
export type AuditActor = components['schemas']['AuditActor'];
export type RecentChange = components['schemas']['RecentChange'];
export type CursorMeta = components['schemas']['CursorMeta'];
export type RecentChangePage = components['schemas']['RecentChangePage'];
export type RevertResult = components['schemas']['RevertResult'];
export type RevertResults = components['schemas']['RevertResults'];
export type ReadinessIssue = components['schemas']['ReadinessIssue'];
export type FeedReadiness = components['schemas']['FeedReadiness'];
export type VehicleReadiness = components['schemas']['VehicleReadiness'];
export type ReadinessRule = components['schemas']['ReadinessRule'];
export type Quality = components['schemas']['Quality'];
export type VehicleHistoryMeta = components['schemas']['VehicleHistoryMeta'];
export type VehicleChange = components['schemas']['VehicleChange'];
export type VehicleHistory = components['schemas']['VehicleHistory'];
export type Sale = components['schemas']['Sale'];
export type SaleChanges = components['schemas']['SaleChanges'];
export type CorrectedSource = components['schemas']['CorrectedSource'];
export type Correction = components['schemas']['Correction'];
export type Corrections = components['schemas']['Corrections'];
export type PastSale = components['schemas']['PastSale'];
export type DaysAtPrice = components['schemas']['DaysAtPrice'];
export type Advice = components['schemas']['Advice'];
export type ScheduledValues = components['schemas']['ScheduledValues'];
export type ScheduledChange = components['schemas']['ScheduledChange'];
export type ScheduledChangePage = components['schemas']['ScheduledChangePage'];
export type ScheduledFields = components['schemas']['ScheduledFields'];
export type NewScheduledChange = components['schemas']['NewScheduledChange'];
export type ScheduledVehicle = components['schemas']['ScheduledVehicle'];
export type ScheduledChangeWithVehicles = components['schemas']['ScheduledChangeWithVehicles'];
export type Dealer = components['schemas']['Dealer'];
export type Change = components['schemas']['Change'];
export type ChangePageMeta = components['schemas']['ChangePageMeta'];
export type ChangePage = components['schemas']['ChangePage'];
export type Suggestion = components['schemas']['Suggestion'];
export type DecodedVin = components['schemas']['DecodedVin'];
export type NewImage = components['schemas']['NewImage'];
export type ImageOrder = components['schemas']['ImageOrder'];
export type ImageChanges = components['schemas']['ImageChanges'];
export type ImportFile = components['schemas']['ImportFile'];
export type ImportColumn = components['schemas']['ImportColumn'];
export type ImportIssue = components['schemas']['ImportIssue'];
export type ImportRowWarnings = components['schemas']['ImportRowWarnings'];
export type UnknownValue = components['schemas']['UnknownValue'];
export type ImportProgress = components['schemas']['ImportProgress'];
export type ImportCounts = components['schemas']['ImportCounts'];
export type FetchedImages = components['schemas']['FetchedImages'];
export type ImportError = components['schemas']['ImportError'];
export type Import = components['schemas']['Import'];
export type ImportPage = components['schemas']['ImportPage'];
export type KeptValue = components['schemas']['KeptValue'];
export type ImportRow = components['schemas']['ImportRow'];
export type ImportRowPage = components['schemas']['ImportRowPage'];
export type ImportConfirmation = components['schemas']['ImportConfirmation'];
export type MendedRow = components['schemas']['MendedRow'];
export type ImportMending = components['schemas']['ImportMending'];
export type MendedRowResult = components['schemas']['MendedRowResult'];
export type MendingResults = components['schemas']['MendingResults'];
export type NewImportMapping = components['schemas']['NewImportMapping'];
export type ImportMapping = components['schemas']['ImportMapping'];
export type ImportMappingPage = components['schemas']['ImportMappingPage'];
export type ImportMappingChanges = components['schemas']['ImportMappingChanges'];
export type ImportSourceRun = components['schemas']['ImportSourceRun'];
export type ImportSource = components['schemas']['ImportSource'];
export type ImportSourcePage = components['schemas']['ImportSourcePage'];
export type BasicCredentials = components['schemas']['BasicCredentials'];
export type HeaderCredentials = components['schemas']['HeaderCredentials'];
export type ImportSourceOptions = components['schemas']['ImportSourceOptions'];
export type FieldOwners = components['schemas']['FieldOwners'];
export type NewImportSource = components['schemas']['NewImportSource'];
export type ImportSourceChanges = components['schemas']['ImportSourceChanges'];
export type NewFeed = components['schemas']['NewFeed'];
export type FeedHeld = components['schemas']['FeedHeld'];
export type FeedFetch = components['schemas']['FeedFetch'];
export type ShownFeed = components['schemas']['ShownFeed'];
export type Feed = components['schemas']['Feed'];
export type FeedPage = components['schemas']['FeedPage'];
export type FeedChanges = components['schemas']['FeedChanges'];
export type FeedRotation = components['schemas']['FeedRotation'];
export type FeedPreview = components['schemas']['FeedPreview'];
export type FeedRule = components['schemas']['FeedRule'];
export type ReadinessOfFeed = components['schemas']['ReadinessOfFeed'];
export type FeedIssue = components['schemas']['FeedIssue'];
export type FeedFinding = components['schemas']['FeedFinding'];
export type FeedFindingPage = components['schemas']['FeedFindingPage'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookChanges = components['schemas']['WebhookChanges'];
export type WebhookSecretRotation = components['schemas']['WebhookSecretRotation'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookRecoveryRequest = components['schemas']['WebhookRecoveryRequest'];
export type WebhookRecovery = components['schemas']['WebhookRecovery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type LastCompletedFile = components['schemas']['LastCompletedFile'];
export type DealerStanding = components['schemas']['DealerStanding'];
export type ListedDealer = components['schemas']['ListedDealer'];
export type NewDealer = components['schemas']['NewDealer'];
export type DealerChanges = components['schemas']['DealerChanges'];
export type InventoryPageMeta = components['schemas']['InventoryPageMeta'];
export type InventoryPage = components['schemas']['InventoryPage'];
export type StatisticsVehicle = components['schemas']['StatisticsVehicle'];
export type DealerStatistics = components['schemas']['DealerStatistics'];
export type AverageDiscount = components['schemas']['AverageDiscount'];
export type MonthFigures = components['schemas']['MonthFigures'];
export type Figures = components['schemas']['Figures'];
export type AgeGroup = components['schemas']['AgeGroup'];
export type OldestVehicle = components['schemas']['OldestVehicle'];
export type LotNow = components['schemas']['LotNow'];
export type Report = components['schemas']['Report'];
export type DealerFigures = components['schemas']['DealerFigures'];
export type OverallReport = components['schemas']['OverallReport'];
export type OnLot = components['schemas']['OnLot'];
export type AverageAge = components['schemas']['AverageAge'];
export type SoldByThisDay = components['schemas']['SoldByThisDay'];
export type LeftOutReason = components['schemas']['LeftOutReason'];
export type LeftOut = components['schemas']['LeftOut'];
export type AgeFilter = components['schemas']['AgeFilter'];
export type ListedAgeGroup = components['schemas']['ListedAgeGroup'];
export type CrossedVehicle = components['schemas']['CrossedVehicle'];
export type Crossed = components['schemas']['Crossed'];
export type TodoReason = components['schemas']['TodoReason'];
export type Todo = components['schemas']['Todo'];
export type MonthOfToday = components['schemas']['MonthOfToday'];
export type Today = components['schemas']['Today'];
export type Permission = components['schemas']['Permission'];
export type ApiKey = components['schemas']['ApiKey'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type ApiKeyWithSecret = components['schemas']['ApiKeyWithSecret'];
export type ApiKeyChanges = components['schemas']['ApiKeyChanges'];
export type ChangedApiKey = components['schemas']['ChangedApiKey'];
export type ApiKeyRotation = components['schemas']['ApiKeyRotation'];
export type UsageHour = components['schemas']['UsageHour'];
export type LastUse = components['schemas']['LastUse'];
export type Refusals = components['schemas']['Refusals'];
export type Denial = components['schemas']['Denial'];
export type ApiKeyUsage = components['schemas']['ApiKeyUsage'];
export type DealerOfKey = components['schemas']['DealerOfKey'];
export type Me = components['schemas']['Me'];
export type User = components['schemas']['User'];
export type NewUser = components['schemas']['NewUser'];
export type UserChanges = components['schemas']['UserChanges'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type ChangedUser = components['schemas']['ChangedUser'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Settings = components['schemas']['Settings'];
export type SettingsChanges = components['schemas']['SettingsChanges'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ListVehiclesOptions = components['schemas']['ListVehiclesOptions'];
export type GetVehicleOptions = components['schemas']['GetVehicleOptions'];
export type ExportVehiclesOptions = components['schemas']['ExportVehiclesOptions'];
export type CountVehiclesByFacetsOptions = components['schemas']['CountVehiclesByFacetsOptions'];
export type ListRemovedVehiclesOptions = components['schemas']['ListRemovedVehiclesOptions'];
export type ListRecentChangesOptions = components['schemas']['ListRecentChangesOptions'];
export type RevertChangeOptions = components['schemas']['RevertChangeOptions'];
export type GetQualityOptions = components['schemas']['GetQualityOptions'];
export type GetVehicleHistoryOptions = components['schemas']['GetVehicleHistoryOptions'];
export type ListCorrectionsOptions = components['schemas']['ListCorrectionsOptions'];
export type GetVehicleAdviceOptions = components['schemas']['GetVehicleAdviceOptions'];
export type ListScheduledChangesOptions = components['schemas']['ListScheduledChangesOptions'];
export type ListChangesOptions = components['schemas']['ListChangesOptions'];
export type StreamChangesOptions = components['schemas']['StreamChangesOptions'];
export type SuggestVehicleWordsOptions = components['schemas']['SuggestVehicleWordsOptions'];
export type ListImagesOptions = components['schemas']['ListImagesOptions'];
export type CreateImportOptions = components['schemas']['CreateImportOptions'];
export type ListImportsOptions = components['schemas']['ListImportsOptions'];
export type ListImportRowsOptions = components['schemas']['ListImportRowsOptions'];
export type ExportImportErrorsOptions = components['schemas']['ExportImportErrorsOptions'];
export type ListImportMappingsOptions = components['schemas']['ListImportMappingsOptions'];
export type ListImportSourcesOptions = components['schemas']['ListImportSourcesOptions'];
export type ListFeedsOptions = components['schemas']['ListFeedsOptions'];
export type PreviewFeedOptions = components['schemas']['PreviewFeedOptions'];
export type ListFeedFindingsOptions = components['schemas']['ListFeedFindingsOptions'];
export type ListWebhooksOptions = components['schemas']['ListWebhooksOptions'];
export type ListWebhookDeliveriesOptions = components['schemas']['ListWebhookDeliveriesOptions'];
export type ListDealersOptions = components['schemas']['ListDealersOptions'];
export type ListDealerVehiclesOptions = components['schemas']['ListDealerVehiclesOptions'];
export type GetDealerReportOptions = components['schemas']['GetDealerReportOptions'];
export type GetReportOptions = components['schemas']['GetReportOptions'];
export type ListApiKeysOptions = components['schemas']['ListApiKeysOptions'];
export type ExportApiKeysOptions = components['schemas']['ExportApiKeysOptions'];
export type GetApiKeyOptions = components['schemas']['GetApiKeyOptions'];
export type GetApiKeyUsageOptions = components['schemas']['GetApiKeyUsageOptions'];
export type ListUsersOptions = components['schemas']['ListUsersOptions'];
export type GetUserOptions = components['schemas']['GetUserOptions'];
export type ListAuditEntriesOptions = components['schemas']['ListAuditEntriesOptions'];
export type ExportAuditEntriesOptions = components['schemas']['ExportAuditEntriesOptions'];
export type VehicleListFilters = components['schemas']['VehicleListFilters'];
