/** Fields of forms, each with its label. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  readonly type?: "text" | "search" | "password" | "number" | "date";
  readonly name?: string;
  readonly dir?: "auto";
  readonly autoComplete?: string;
  readonly inputMode?: "decimal";
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly spellcheck?: boolean;
  readonly min?: number;
  readonly step?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly isInvalid?: boolean;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Field({ label, hint, value, onChange, isInvalid = false, type = "text", ...rest }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        type={type as "text"}
        id={id}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-invalid={isInvalid}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly of: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
  readonly hint?: ComponentChildren;
}

export function Choice<Value extends string>({ label, value, of, onChange, hint }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        dir="auto"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {of.map((one) => (
          <option key={one.value} value={one.value} selected={one.value === value}>
            {one.text}
          </option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Check({
  label,
  checked,
  onChange,
}: {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
