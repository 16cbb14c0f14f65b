/** How a program does what the page just did. */
import { useState } from "preact/hooks";
import { curlSample, typescriptSample, type SampleRequest } from "../text/code-samples.ts";
import { words } from "../words/index.ts";
import { CopyButton } from "./copy.tsx";
import { Scrolled } from "./scrolled.tsx";

const FORMS = { curl: curlSample, typescript: typescriptSample } as const;
type Form = keyof typeof FORMS;

export function CodeSample({ request }: { request: Omit<SampleRequest, "origin"> }) {
  const [form, setForm] = useState<Form>("curl");
  const code = FORMS[form]({ ...request, origin: location.origin });
  return (
    <details class="code-sample">
      <summary>{words.code.title}</summary>
      <div class="code-head">
        <fieldset class="segments">
          <legend class="unseen">{words.code.language}</legend>
          {(Object.keys(FORMS) as Form[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === form} onClick={() => setForm(one)}>
              {words.code[one]}
            </button>
          ))}
        </fieldset>
        <CopyButton text={code} label={words.copy.what(words.code[form])} />
      </div>
      <Scrolled className="code" label={words.code[form]}>
        <pre dir="ltr">
          <code>{code}</code>
        </pre>
      </Scrolled>
      <p class="soft">{words.code.key[form]}</p>
    </details>
  );
}
