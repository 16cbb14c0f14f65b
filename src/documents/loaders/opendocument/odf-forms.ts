/** Controls of forms in OpenDocument files: what they say or hold is read where they are drawn (ODF 1.3, 13). */
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";

/** Controls that hold what someone typed or chose. */
const FIELDS: ReadonlySet<string> = new Set(
  "text textarea formatted-text number date time combobox value-range".split(" "),
);
/** Controls that say what they are for. */
const LABELLED: ReadonlySet<string> = new Set(["checkbox", "radio", "button", "fixed-text", "frame"]);
const TICKED = "☒";
const NOT_TICKED = "☐";

/** Is told what stands among the forms. Passwords and what is hidden are not read. */
export class OdfForms implements XmlHandler {
  private readonly texts = new Map<string, string>();
  /** The control that is open, where it has an identity. */
  private control: { readonly name: string; readonly id: string } | undefined;

  open(name: string, attributes: XmlAttributes): void {
    if (FIELDS.has(name) || LABELLED.has(name) || name === "listbox") {
      this.control = { name, id: qualified(attributes, "id") ?? "" };
      this.add(controlText(name, attributes));
    } else if (name === "option" && qualified(attributes, "current-selected") === "true")
      this.add(qualified(attributes, "label") ?? "");
  }

  text(text: string): void {
    if (this.control?.name === "textarea") this.add(text);
  }

  close(name: string): void {
    if (name === this.control?.name) this.control = undefined;
  }

  /** What a control shows; "" where it shows nothing. */
  textOf(control: string): string {
    return (this.texts.get(control) ?? "").trim();
  }

  private add(text: string): void {
    if (this.control === undefined || text === "") return;
    const before = this.texts.get(this.control.id);
    this.texts.set(this.control.id, before === undefined ? text : `${before}\n${text}`);
  }
}

function controlText(name: string, attributes: XmlAttributes): string {
  if (FIELDS.has(name)) return qualified(attributes, "current-value") ?? qualified(attributes, "value") ?? "";
  const label = qualified(attributes, "label") ?? "";
  if (name !== "checkbox" && name !== "radio") return label;
  const isTicked = qualified(attributes, name === "radio" ? "current-selected" : "current-state");
  return `${isTicked === "true" || isTicked === "checked" ? TICKED : NOT_TICKED} ${label}`;
}
