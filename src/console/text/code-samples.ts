/** What a page does, as a command line and as TypeScript: for whoever wants a program to do the same. Pure. */

export interface SampleRequest {
  /** Where the server is reached, without a slash at its end. */
  readonly origin: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Path and query, encoded. */
  readonly path: string;
  /** A JSON body. */
  readonly json?: unknown;
  /** A form; the file's part is added. */
  readonly form?: Readonly<Record<string, string>>;
  /** The answer comes as Server-Sent Events. */
  readonly streams?: boolean;
}

/** For bash and its like; the key is in the variable KEY. */
export function curlSample({ origin, method, path, json, form, streams = false }: SampleRequest): string {
  const lines = [
    `curl -s${streams ? "N" : ""}${method === "DELETE" ? " -X DELETE" : ""} ${shellQuoted(origin + path)} -H "Authorization: Bearer $KEY"`,
  ];
  if (json !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(readableJson(json))}`);
  if (form !== undefined)
    lines.push(
      ...Object.entries(form).map(([name, value]) => `--form-string ${shellQuoted(`${name}=${value}`)}`),
      "-F file=@document.pdf",
    );
  return lines.join(" \\\n  ");
}

/** For Node, Bun and Deno; the key is in the variable LECTERN_KEY. */
export function typescriptSample({ origin, method, path, json, form, streams = false }: SampleRequest): string {
  const address = readableJson(origin + path);
  const lines: string[] = [];
  if (form !== undefined) {
    lines.push(`import { openAsBlob } from "node:fs";`, "", "const form = new FormData();");
    for (const [name, value] of Object.entries(form))
      lines.push(`form.append(${readableJson(name)}, ${readableJson(value)});`);
    lines.push(`form.append("file", await openAsBlob("document.pdf"), "document.pdf");`);
  }
  lines.push(`const response = await fetch(${address}, {`);
  if (method !== "GET") lines.push(`  method: ${JSON.stringify(method)},`);
  const type = json === undefined ? "" : `, "Content-Type": "application/json"`;
  lines.push(`  headers: { Authorization: \`Bearer \${process.env.LECTERN_KEY}\`${type} },`);
  if (json !== undefined) lines.push(`  body: JSON.stringify(${readableJson(json)}),`);
  if (form !== undefined) lines.push("  body: form,");
  lines.push("});", "if (!response.ok) throw new Error(await response.text());");
  lines.push(
    ...(streams
      ? [
          "for await (const piece of response.body!.pipeThrough(new TextDecoderStream()))",
          "  for (const [, data] of piece.matchAll(/^event: token\\ndata: (.*)$/gm))",
          "    process.stdout.write(JSON.parse(data!).text);",
        ]
      : ["console.log(await response.json());"]),
  );
  return lines.join("\n");
}

/** One word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON on one line, in which nothing is invisible or turns the direction of what follows. */
export function readableJson(value: unknown): string {
  return spaced(JSON.stringify(value, null, 1)).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Line breaks of JSON stand between values alone: inside text they are escaped. */
function spaced(json: string): string {
  return json
    .replace(/([[{])\n\s*/g, "$1")
    .replace(/\n\s*([\]}])/g, "$1")
    .replace(/\n\s*/g, " ");
}
