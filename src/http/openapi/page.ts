/** The OpenAPI document as one page for people, without scripts and without anything from elsewhere. */
import type { OpenApiDocument } from "./document.ts";
import type { OpenApiOperation } from "./operation.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fdfdfb; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
details { border: 1px solid #ddd; border-radius: 6px; margin: .6rem 0; padding: .5rem .9rem; background: #fff; }
summary { cursor: pointer; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { background: #f4f4f0; padding: .7rem; overflow-x: auto; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
td { padding: .15rem .8rem .15rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616; } details { background: #1e1e1e; border-color: #444; } pre { background: #262626; } a { color: #8ab4f8; } }
`;

export function renderPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  );
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="${name}"><summary><code>${name}</code></summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${document.info.title} interface</title><style>${STYLE}</style></head>
<body><h1>${document.info.title} ${escapeHtml(document.info.version)}</h1>
<p>${escapeHtml(document.info.description)} For programs: <a href="/openapi/json">/openapi/json</a>.</p>
<h2>Endpoints</h2>
${operations.join("\n")}
<h2>Shapes</h2>
${shapes.join("\n")}
</body></html>
`;
}

function renderOperation(method: string, path: string, operation: OpenApiOperation): string {
  const responses = Object.entries(operation.responses).map(
    ([status, { description }]) =>
      `<tr><td><code>${status}</code></td><td>${escapeHtml(String(description ?? ""))}</td></tr>`,
  );
  const parts = [
    operation.description && `<p>${escapeHtml(operation.description)}</p>`,
    operation.parameters && `<p>Parameters</p><pre>${escapeHtml(JSON.stringify(operation.parameters, null, 2))}</pre>`,
    operation.requestBody && `<p>Body</p><pre>${escapeHtml(JSON.stringify(operation.requestBody, null, 2))}</pre>`,
    `<table>${responses.join("")}</table>`,
  ];
  return `<details><summary><span class="method">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}</summary>${parts.filter(Boolean).join("")}</details>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
