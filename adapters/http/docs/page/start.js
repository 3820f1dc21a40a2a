// Runs in the browser. Keys typed into the page stay in it and go nowhere but to this service.
const SAMPLE_ORIGIN = "http://localhost:3000";
const root = document.documentElement;

const system = matchMedia("(prefers-color-scheme: dark)");
const show = (dark) => root.classList.toggle("dark-mode", dark);
show(system.matches);
system.addEventListener("change", ({ matches }) => show(matches));
document.querySelector(".theme").addEventListener("click", () => show(!root.classList.contains("dark-mode")));

/** Finds operations by any word of their path, summary, name or description. */
const matches = (operation, phrase) =>
  ["summary", "operationId", "description"]
    .map((field) => operation.getIn(["operation", field]) ?? "")
    .concat(operation.get("path"), operation.get("method"))
    .some((text) => text.toLowerCase().includes(phrase.toLowerCase()));

const search = (tagged, phrase) =>
  tagged
    .map((tag) => tag.update("operations", (operations) => operations.filter((one) => matches(one, phrase))))
    .filter((tag) => tag.get("operations").size > 0);

const at = (value, path) => path.reduce((part, name) => part?.[name], value);

/** The part of the document that a reference names, such as `#/components/schemas/Vehicle`. */
const named = (spec, reference) =>
  at(
    spec,
    reference
      .slice("#/".length)
      .split("/")
      .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")),
  );

/** A part of the document with everything that it refers to. What contains itself stays a reference there. */
const resolved = (spec, part, within = []) => {
  if (part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return part.map((one) => resolved(spec, one, within));
  const { $ref, ...own } = part;
  if (typeof $ref === "string")
    return within.includes($ref)
      ? part
      : { ...resolved(spec, named(spec, $ref), [...within, $ref]), ...own, $$ref: $ref };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(spec, value, within)]));
};

/**
 * What the reference shows of an opened operation. The library's function analyses the whole document each time, which
 * takes seconds. This document refers only to itself, and its operations name all their parameters.
 */
const resolveSubtree = async (spec, path) => ({ spec: resolved(spec, at(spec, path)), errors: [] });

/** Up to this number of parameters they are shown without a click: an operation should fit on two screens. */
const FEW_PARAMETERS = 4;

/** Shows an operation's samples in front of its parameters. Long lists of parameters, bodies and answers are folded. */
const samplesPlugin = ({ React }) => {
  const element = React.createElement;
  const Samples = ({ samples }) => {
    const [chosen, choose] = React.useState(0);
    return element(
      "div",
      { className: "samples" },
      samples.map(({ label }, index) =>
        element(
          "button",
          { key: label, type: "button", "aria-pressed": index === chosen, onClick: () => choose(index) },
          label,
        ),
      ),
      element("pre", { tabIndex: 0 }, samples[chosen].source),
    );
  };
  const folded = (title, isOpen, content) =>
    element("details", { className: "folded", open: isOpen }, element("summary", null, title), content);
  return {
    fn: { opsFilter: search, resolveSubtree },
    wrapComponents: {
      parameters: (Parameters) => (props) => {
        const operation = props.specSelectors.specJson().getIn(["paths", ...props.pathMethod]);
        const samples = operation?.get("x-codeSamples")?.toJS();
        const count = props.parameters.count();
        // The samples show the body already.
        const hasBody = operation?.has("requestBody") ?? false;
        return element(
          React.Fragment,
          null,
          samples ? element(Samples, { samples }) : null,
          folded(
            `Parameters (${count})${hasBody ? " and body" : ""}`,
            count <= FEW_PARAMETERS && !hasBody,
            element(Parameters, props),
          ),
        );
      },
      responses: (Responses) => (props) => folded("Answers", false, element(Responses, props)),
    },
  };
};

/** Goes to an element as soon as the reference has drawn it. */
const scrollTo = (find) => {
  const target = find();
  if (target) target.scrollIntoView();
  else requestAnimationFrame(() => scrollTo(find));
};

const linkOf = (text, go) => {
  const link = document.createElement("a");
  link.textContent = text;
  link.href = "#";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (!wide.matches) menu.open = false;
    go();
  });
  return link;
};

const sectionOf = (title, links) => {
  const section = document.createElement("section");
  const heading = document.createElement("h2");
  heading.textContent = title;
  section.append(heading, ...links);
  return section;
};

const menu = document.querySelector(".menu");
const wide = matchMedia("(min-width: 1000px)");
const fold = () => {
  menu.open = wide.matches;
};
wide.addEventListener("change", fold);
fold();

/** Lists the guides and every operation beside the reference. */
const fillMenu = (spec, ui) => {
  const guides = [...spec.info.description.matchAll(/^# (.+)$/gm)].map(([, title]) =>
    linkOf(title, () =>
      scrollTo(() => [...document.querySelectorAll(".markdown h1")].find((heading) => heading.textContent === title)),
    ),
  );
  const operations = Object.values(spec.paths).flatMap((methods) => Object.values(methods));
  const sections = spec.tags.map(({ name }) =>
    sectionOf(
      name,
      operations
        .filter(({ tags }) => tags.includes(name))
        .map(({ summary, operationId }) =>
          linkOf(summary, () => {
            ui.layoutActions.show(["operations-tag", name], true);
            ui.layoutActions.show(["operations", name, operationId], true);
            scrollTo(() => document.getElementById(`operations-${name.replaceAll(" ", "_")}-${operationId}`));
          }),
        ),
    ),
  );
  const whole = document.createElement("a");
  whole.textContent = "The OpenAPI document";
  whole.href = "/openapi.json";
  document.querySelector(".menu nav").append(sectionOf("Guides", [...guides, whole]), ...sections);
};

const open = async () => {
  const text = await (await fetch("/openapi.json")).text();
  const spec = JSON.parse(text.replaceAll(SAMPLE_ORIGIN, location.origin));
  // The reference would make a link of it that leads nowhere.
  delete spec.info.license;
  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    deepLinking: true,
    filter: true,
    validatorUrl: null,
    persistAuthorization: false,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
    plugins: [samplesPlugin],
  });
  fillMenu(spec, ui);
};
open();
