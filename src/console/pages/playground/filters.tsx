/** Conditions on the metadata of what is searched, one in a line. */
import { useId } from "preact/hooks";
import { FILTERED_PLACE_KEYS, PROPERTY_KEYS } from "../../../foundation/place.ts";
import { Icon } from "../../parts/icons.tsx";
import { COMPARISONS, type Comparison, type TypedFilter } from "../../text/filter-value.ts";
import { words } from "../../words/index.ts";

/** Fields that every file may have. */
const FIELDS = ["originalName", "path", "fileId", ...FILTERED_PLACE_KEYS, ...PROPERTY_KEYS];

export function Filters({
  filters,
  onChange,
}: {
  filters: readonly TypedFilter[];
  onChange: (filters: readonly TypedFilter[]) => void;
}) {
  const fields = useId();
  const w = words.filters;
  const change = (at: number, next: Partial<TypedFilter>): void =>
    onChange(filters.map((filter, place) => (place === at ? { ...filter, ...next } : filter)));
  return (
    <fieldset class="filters">
      <legend>{w.title}</legend>
      <p class="hint">{w.hint}</p>
      <datalist id={fields}>
        {FIELDS.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {filters.map(({ key, comparison, value }, at) => (
        <div key={at} class="filter">
          <input
            type="text"
            list={fields}
            aria-label={w.field(at + 1)}
            placeholder={w.fieldPlaceholder}
            dir="auto"
            autoComplete="off"
            value={key}
            onInput={({ currentTarget }) => change(at, { key: currentTarget.value })}
          />
          <select
            aria-label={w.comparison(at + 1)}
            onChange={({ currentTarget }) => change(at, { comparison: currentTarget.value as Comparison })}
          >
            {COMPARISONS.map((one) => (
              <option key={one} value={one} selected={one === comparison}>
                {w.comparisons[one]}
              </option>
            ))}
          </select>
          <input
            type="text"
            aria-label={w.value(at + 1)}
            placeholder={w.valuePlaceholder}
            dir="auto"
            autoComplete="off"
            value={value}
            onInput={({ currentTarget }) => change(at, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="button small icon-only"
            aria-label={w.remove(at + 1)}
            onClick={() => onChange(filters.filter((_, place) => place !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button small"
        onClick={() => onChange([...filters, { key: "", comparison: "is", value: "" }])}
      >
        <Icon name="add" />
        {w.add}
      </button>
    </fieldset>
  );
}
