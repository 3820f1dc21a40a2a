import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { fieldInWords } from "../../../core/audit/field-words.ts";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { readList } from "../api/client.ts";
import type { FeedProblemsProps } from "../channels/feed-page.tsx";
import { ruleUrl } from "../channels/feed-vehicles.tsx";
import { fieldTitle } from "../imports/columns.ts";
import { formatCount } from "../page/counts.ts";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { Picture } from "../photos/picture.tsx";
import { useMay } from "../session/session.tsx";
import { isSettable, type SettableField } from "../vehicles/settable-fields.ts";
import { titleWithStockNumber } from "../vehicles/vehicle-words.ts";
import { SetForAllButton, SetForAllDialog } from "./set-for-all.tsx";

type Problem = FeedProblemsProps["readiness"]["rules"][number];

/** The vehicles that are read for pictures, and how many of them a problem shows. */
const LOOKED_AT = 100;
const SHOWN = 5;

/** The field that can be set for all vehicles with a problem; `null` if there is none. */
const fieldOf = ({ rule, field }: Problem): SettableField | null =>
  rule === "required_empty" && field !== null && isSettable(field) ? field : null;

/** The vehicles whose field is to be set. */
interface Asked {
  readonly rows: readonly Vehicle[];
  readonly field: SettableField;
}

/** A problem in a few words: "10 vehicles: condition is empty". */
const sentenceOf = ({ rule, field, message, count }: Problem): string => {
  const what =
    rule === "required_empty" && field !== null
      ? `${fieldInWords(field)} is empty`
      : `${field === null ? "" : `${fieldTitle(field)}: `}${message}`;
  return `${formatCount(count, "vehicle")}: ${what}`;
};

/** True for what the form of a vehicle has; settings of the feed have their links in the list of vehicles. */
const isOfVehicle = (field: string | null): boolean =>
  field !== null && (field === "images" || Object.hasOwn(VEHICLE_FIELDS, field));

/** A picture of a vehicle that leads to the field in its form. */
const Thumbnail = ({ finding, field }: { readonly finding: FeedFinding; readonly field: string | null }) => {
  const { vehicle_id: id, image_url: url } = finding;
  const image = url === null ? undefined : { image_url: url };
  return (
    <li>
      <Link
        href={`/vehicles/${id}${isOfVehicle(field) ? `?edit=${field}` : ""}`}
        className="problem-photo"
        aria-label={`Mend ${titleWithStockNumber({ ...finding, title: null })}`}
        title={titleWithStockNumber({ ...finding, title: null })}
      >
        <Picture image={image} alt="" className="problem-picture" />
      </Link>
    </li>
  );
};

const ProblemItem = ({
  feedId,
  problem,
  found,
  onSet,
  onRead,
}: {
  readonly feedId: number;
  readonly problem: Problem;
  readonly found: readonly FeedFinding[];
  readonly onSet: () => void;
  readonly onRead: (asked: Asked) => void;
}) => {
  const mayChange = useMay()("vehicles:write");
  const sentence = sentenceOf(problem);
  const field = mayChange ? fieldOf(problem) : null;
  const broken = found.filter(({ issues }) =>
    issues.some((one) => one.severity === "error" && one.rule === problem.rule && one.field === problem.field),
  );
  return (
    <li className="todo problem">
      <div>
        <PageLink to={ruleUrl(feedId, problem)}>{sentence}</PageLink>
        <span className="second-line">{problem.fix}</span>
        {broken.length > 0 && (
          <ul className="problem-photos" aria-label={`The first with it: ${sentence}`}>
            {broken.slice(0, SHOWN).map((finding) => (
              <Thumbnail key={finding.vehicle_id} finding={finding} field={problem.field} />
            ))}
          </ul>
        )}
      </div>
      {field !== null && (
        <SetForAllButton
          problem={{ feedId, rule: problem.rule, field }}
          sentence={sentence}
          onSet={onSet}
          onRead={(rows) => onRead({ rows, field })}
        />
      )}
    </li>
  );
};

/** What keeps vehicles out of a feed, by problem, with the first of them and what sets it for all. */
export const Problems = ({ feedId, readiness: { rules } }: FeedProblemsProps) => {
  const client = useQueryClient();
  const path = `/feeds/${feedId}/readiness/vehicles`;
  const problems = rules.filter(({ severity }) => severity === "error");
  const { data } = useQuery({
    queryKey: [path, "problems"],
    queryFn: () => readList<FeedFinding>(path, { severity: "error", limit: LOOKED_AT }),
    enabled: problems.length > 0,
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const onSet = (): void => void client.invalidateQueries();
  // The question stays until it is closed, although the problem is none any more.
  const dialog = asked !== null && <SetForAllDialog {...asked} onSet={onSet} onClose={() => setAsked(null)} />;
  if (problems.length === 0) return dialog;
  return (
    <>
      {dialog}
      <Section title="Left out, by problem">
        <Text size="sm">A picture leads to the field in the form of its vehicle.</Text>
        <ul className="todos">
          {problems.map((problem) => (
            <ProblemItem
              key={`${problem.rule} ${problem.field}`}
              feedId={feedId}
              problem={problem}
              found={data?.items ?? []}
              onSet={onSet}
              onRead={setAsked}
            />
          ))}
        </ul>
      </Section>
    </>
  );
};
