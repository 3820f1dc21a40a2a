import type { Today } from "../../../core/today/today.ts";
import { useAmountFormats } from "../settings/amounts.tsx";
import { CrossedTiles } from "./crossed-tiles.tsx";
import { DoNext } from "./do-next.tsx";
import { EmptyLot } from "./empty-lot.tsx";
import { FigureLinks } from "./figure-links.tsx";
import { LotStrip } from "./lot-strip.tsx";
import { Months } from "./months.tsx";
import { figuresOf, linksOf } from "./today-words.ts";

/** What a dealer looks at in the morning, from one answer. `isOwn` for users who see no other dealer. */
export const TodayView = ({ today, isOwn }: { today: Today; isOwn: boolean }) => {
  const { price } = useAmountFormats();
  const links = linksOf(today.dealer_id, isOwn);
  return (
    <div className="record-work">
      <FigureLinks figures={figuresOf(today, { links, price })} />
      <div className="today-columns">
        <div className="record-work">
          {today.on_lot.count === 0 ? (
            <EmptyLot dealerId={today.dealer_id} />
          ) : (
            <>
              <LotStrip ages={today.ages} links={links} />
              <CrossedTiles dealer_id={today.dealer_id} crossed={today.crossed} />
            </>
          )}
        </div>
        <div className="record-work">
          <DoNext todos={today.do_next} />
          <Months months={today.months} />
        </div>
      </div>
    </div>
  );
};
