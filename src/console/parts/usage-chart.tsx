/** Usage by day as stacked bars, and the same as a table. */
import { useState } from "preact/hooks";
import type { Usage } from "../service/types.ts";
import { roundedUp, usageSeries, type UsageKey, type UsageMeasure } from "../text/usage-series.ts";
import { formats, words } from "../words/index.ts";
import { Empty } from "./page.tsx";
import { Scrolled } from "./scrolled.tsx";

/** As many as there are colours that can be told apart. */
const MOST_GROUPS = 6;
const [WIDTH, HEIGHT] = [900, 230];
const EDGE = { left: 52, right: 4, top: 14, bottom: 26 };
const MEASURES: readonly UsageMeasure[] = ["count", "credits"];

export function UsageChart({ usage, by }: { usage: Usage; by: UsageKey }) {
  const [measure, setMeasure] = useState<UsageMeasure>("count");
  if (usage.days.length === 0)
    return (
      <Empty icon="usage" title={words.usage.emptyTitle}>
        {words.usage.empty}
      </Empty>
    );
  const { days, groups, highest } = usageSeries(
    { from: usage.from, to: usage.to, entries: usage.days },
    by,
    measure,
    MOST_GROUPS,
  );
  const top = roundedUp(highest);
  const plot = { width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const step = plot.width / days.length;
  const bar = Math.min(28, step * 0.7);
  const nameOf = (name: string | null): string =>
    name === null ? words.usage.others : by === "operation" ? words.usage.operation(name) : name;
  const labelled = days.length <= 8 ? 1 : Math.ceil(days.length / 6);

  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span>{words.usage.chart(formats.day(usage.from), formats.day(usage.to))}</span>
        <fieldset class="segments">
          <legend class="unseen">{words.usage.measure}</legend>
          {MEASURES.map((one) => (
            <button key={one} type="button" aria-pressed={one === measure} onClick={() => setMeasure(one)}>
              {words.usage[one]}
            </button>
          ))}
        </fieldset>
      </figcaption>
      <Scrolled className="chart-frame" label={words.usage.chart(formats.day(usage.from), formats.day(usage.to))}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={words.usage.chartAlternative(
            formats.number(groups.reduce((sum, { total }) => sum + total, 0)),
            words.usage[measure],
          )}
        >
          {[0, 0.5, 1].map((share) => {
            const y = EDGE.top + plot.height * (1 - share);
            return (
              <g key={share} class="chart-line">
                <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y} y2={y} />
                {share > 0 && (
                  <text class="chart-scale" x={EDGE.left - 8} y={y + 4}>
                    {formats.number(top * share)}
                  </text>
                )}
              </g>
            );
          })}
          {days.map((day, at) => {
            let y = EDGE.top + plot.height;
            const x = EDGE.left + step * at + (step - bar) / 2;
            return (
              <g key={day}>
                {groups.map(({ name, values }, series) => {
                  const height = (values[at]! / top) * plot.height;
                  y -= height;
                  return (
                    height > 0 && (
                      <rect
                        key={name ?? ""}
                        class={`series-${series}`}
                        x={x}
                        y={y}
                        width={bar}
                        height={height}
                        rx={Math.min(2, height / 2)}
                      >
                        <title>{`${formats.day(day)}: ${nameOf(name)}, ${formats.number(values[at]!)}`}</title>
                      </rect>
                    )
                  );
                })}
                {at % labelled === 0 && (
                  <text class="chart-day" x={x + bar / 2} y={HEIGHT - 8}>
                    {formats.shortDay(day)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </Scrolled>
      <ul class="legend">
        {groups.map(({ name, total }, series) => (
          <li key={name ?? ""}>
            <i class={`series-${series}`} aria-hidden="true" />
            <bdi>{nameOf(name)}</bdi> <span class="soft">{formats.number(total)}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>{words.usage.asTable}</summary>
        <Scrolled className="table-frame" label={words.usage.asTable}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.usage.day}</th>
                <th scope="col">{words.usage.customer}</th>
                <th scope="col">{words.usage.operations}</th>
                <th scope="col" class="figures">
                  {words.usage.count}
                </th>
                <th scope="col" class="figures">
                  {words.usage.credits}
                </th>
              </tr>
            </thead>
            <tbody>
              {usage.days.map(({ day, customerId, operation, count, credits }) => (
                <tr key={`${day} ${customerId} ${operation}`}>
                  <td>{formats.day(day)}</td>
                  <td dir="auto">{customerId}</td>
                  <td>{words.usage.operation(operation)}</td>
                  <td class="figures">{formats.number(count)}</td>
                  <td class="figures">{formats.number(credits)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      </details>
    </figure>
  );
}
