/** The last lines of the server's log. */
import { useState } from "preact/hooks";
import { Check, Choice, Field } from "../parts/field.tsx";
import { Page, Shown } from "../parts/page.tsx";
import { Scrolled } from "../parts/scrolled.tsx";
import { useLoaded } from "../service/load.ts";
import { words } from "../words/index.ts";

const LENGTHS = ["100", "200", "1000"] as const;
const EVERY = 3000;

export function LogPage() {
  const [lines, setLines] = useState<(typeof LENGTHS)[number]>("200");
  const [sought, setSought] = useState("");
  const [follows, setFollows] = useState(true);
  const loaded = useLoaded<{ lines: readonly string[] }>(`/console/log?lines=${lines}`, {
    every: follows ? EVERY : null,
  });
  const w = words.log;
  return (
    <Page title={words.titles.log} lead={w.lead}>
      <div class="field-grid">
        <Field label={w.seek} type="search" value={sought} onChange={setSought} />
        <Choice
          label={w.length}
          value={lines}
          of={LENGTHS.map((value) => ({ value, text: w.lines(Number(value)) }))}
          onChange={setLines}
        />
      </div>
      <Check label={w.follow} checked={follows} onChange={setFollows} />
      <Shown of={loaded}>
        {(value) => {
          const found = value.lines.filter((line) => line.toLowerCase().includes(sought.toLowerCase()));
          return found.length === 0 ? (
            <p class="soft">{w.empty}</p>
          ) : (
            <Scrolled className="log" label={words.titles.log}>
              {found.toReversed().map((line, at) => (
                <p
                  key={at}
                  dir="ltr"
                  class={/\berror\b/i.test(line) ? "is-bad" : /\bwarn/i.test(line) ? "is-warning" : undefined}
                >
                  {line}
                </p>
              ))}
            </Scrolled>
          );
        }}
      </Shown>
    </Page>
  );
}
