import { describe, expect, test } from "bun:test";
import { makeRegistry } from "../../../adapters/metrics/registry.ts";

describe("metrics in Prometheus' text format", () => {
  test("have a line each, after their description and type", () => {
    const registry = makeRegistry();
    registry.gauge("disk_free_bytes", "Free.", () => 12.5);
    registry.counter("refused_total", "Refused.", () => [
      { labels: { code: "a" }, value: 1 },
      { labels: { code: "b", kind: "c" }, value: 2 },
    ]);
    expect(registry.text()).toBe(
      [
        "# HELP disk_free_bytes Free.",
        "# TYPE disk_free_bytes gauge",
        "disk_free_bytes 12.5",
        "# HELP refused_total Refused.",
        "# TYPE refused_total counter",
        'refused_total{code="a"} 1',
        'refused_total{code="b",kind="c"} 2',
        "",
      ].join("\n"),
    );
  });

  test("cannot get an additional line from a label's text", () => {
    const registry = makeRegistry();
    registry.gauge("named", "Named.", () => [{ labels: { name: 'a"} 1\nforged 2\\' }, value: 1 }]);
    expect(registry.text()).toEndWith('named{name="a\\"} 1\\nforged 2\\\\"} 1\n');
  });

  test("are written as Prometheus reads them, even if they are not finite numbers", () => {
    const registry = makeRegistry();
    for (const [place, value] of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].entries())
      registry.gauge(`number_${place}`, "A number.", () => value);
    expect(registry.text().match(/^number.*$/gm)).toEqual(["number_0 NaN", "number_1 +Inf", "number_2 -Inf"]);
  });

  test("are all present except those that cannot be read", () => {
    const registry = makeRegistry();
    registry.gauge("broken", "Broken.", () => {
      throw new Error("no such file");
    });
    registry.gauge("absent", "Absent.", () => null);
    registry.gauge("present", "Present.", () => 1);
    expect(registry.text()).toBe("# HELP present Present.\n# TYPE present gauge\npresent 1\n");
  });

  test("are never more than 2 000, however many one metric returns", () => {
    const registry = makeRegistry();
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ labels: { n: String(n) }, value: n }));
    registry.gauge("fitting", "Fitting.", () => many(1990));
    registry.gauge("runaway", "Runaway.", () => many(11));
    registry.gauge("small", "Small.", () => many(10));
    const lines = registry.text().match(/^[^#\n].*$/gm) ?? [];
    expect(lines).toHaveLength(2000);
    expect(lines.join()).not.toContain("runaway");
  });

  test("have unique names, without characters that would break the format", () => {
    const registry = makeRegistry();
    registry.gauge("one", "One.", () => 1);
    for (const name of ["one", "", "a b", "a\nb", "Ä"])
      expect(() => registry.gauge(name, "Again.", () => 2)).toThrow("a metric cannot be called");
  });
});
