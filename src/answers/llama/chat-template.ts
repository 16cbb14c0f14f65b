/** A model's own chat template (Jinja, as Hugging Face has them), rendered so that texts stay apart from the markup around them. */
import { Template } from "@huggingface/jinja";

/** A conversation in pieces: `markup` may hold special tokens, `text` never does. */
export type PromptPiece = { readonly kind: "markup" | "text"; readonly value: string };

export interface ChatPrompt {
  /** The same for every message: instructions and the markup up to the user's message. */
  readonly before: readonly PromptPiece[];
  /** Put before the user's message, where a template knows no instructions. */
  readonly prefix: string;
  readonly after: readonly PromptPiece[];
}

export interface TemplateTokens {
  readonly bos: string;
  readonly eos: string;
}

/**
 * Renders the template around placeholders for the instructions and the user's message. Where it refuses a system message, the
 * instructions lead the user's. Throws an Error that says why when the template cannot be used at all.
 */
export function renderChat(template: string, instructions: string, { bos, eos }: TemplateTokens): ChatPrompt {
  const parsed = new Template(template);
  const render = (messages: readonly { role: string; content: string }[]): string =>
    parsed.render({
      messages,
      add_generation_prompt: true,
      bos_token: bos,
      eos_token: eos,
      enable_thinking: false,
      tools: null,
    });
  const [system, user] = [placeholder(), placeholder()];
  const asked = { role: "user", content: user };
  const withSystem = attempt(() => split(render([{ role: "system", content: system }, asked]), [system, user]));
  if (withSystem !== null) {
    const [start, middle, end] = withSystem;
    return {
      before: pieces(["markup", start!], ["text", instructions], ["markup", middle!]),
      prefix: "",
      after: pieces(["markup", end!]),
    };
  }
  const parts = split(render([asked]), [user]);
  if (parts === null) throw new Error("the template leaves the user's message out");
  return { before: pieces(["markup", parts[0]!]), prefix: `${instructions}\n\n`, after: pieces(["markup", parts[1]!]) };
}

/** Letters only, so that no template changes it, and never in a text by chance. */
const placeholder = (): string =>
  `x${crypto.randomUUID().replace(/[^a-f]/g, "")}${crypto.randomUUID().replace(/\d/g, "").replaceAll("-", "")}x`;

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    // A template says by an exception that it knows no system message.
    return null;
  }
}

/** The text around the marks, each of which must occur exactly once, in order; null when one does not. */
function split(rendered: string, marks: readonly string[]): string[] | null {
  const parts: string[] = [];
  let rest = rendered;
  for (const mark of marks) {
    const [before, ...after] = rest.split(mark);
    if (after.length !== 1) return null;
    parts.push(before!);
    rest = after[0]!;
  }
  return [...parts, rest];
}

function pieces(...all: [PromptPiece["kind"], string][]): PromptPiece[] {
  return all.filter(([, value]) => value !== "").map(([kind, value]) => ({ kind, value }));
}
