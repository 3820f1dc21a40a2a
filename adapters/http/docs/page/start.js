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

/** Shows an operation's samples in front of its parameters. */
const samplesPlugin = ({ React }) => {
  const element = React.createElement;
  // biome-ignore lint/correctness/noComponentHookFactories: React comes with the reference, which calls this once
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
  return {
    fn: { opsFilter: search },
    wrapComponents: {
      parameters: (Parameters) => (props) => {
        const samples = props.specSelectors
          .specJson()
          .getIn(["paths", ...props.pathMethod, "x-codeSamples"])
          ?.toJS();
        return element(
          React.Fragment,
          null,
          samples ? element(Samples, { samples }) : null,
          element(Parameters, props),
        );
      },
    },
  };
};

const open = async () => {
  const text = await (await fetch("/openapi.json")).text();
  window.SwaggerUIBundle({
    spec: JSON.parse(text.replaceAll(SAMPLE_ORIGIN, location.origin)),
    dom_id: "#reference",
    deepLinking: true,
    filter: true,
    validatorUrl: null,
    persistAuthorization: false,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
    plugins: [samplesPlugin],
  });
};
open();
