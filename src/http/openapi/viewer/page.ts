/** The page that shows the interface: a frame for the viewer, which loads the document. */
import type { ViewerFile } from "./files.ts";

/** Where the viewer's files are. */
export const VIEWER_PATH = "/openapi/viewer";

const address = (name: ViewerFile): string => `${VIEWER_PATH}/${name}`;

export const viewerPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lectern interface</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${address("swagger-ui.css")}"></head>
<body><div id="viewer"></div><noscript>This page needs JavaScript. For programs and readers without it: <a href="/openapi/json">/openapi/json</a>.</noscript>
<script src="${address("swagger-ui.js")}"></script><script src="${address("start.js")}"></script></body></html>
`;

/** What the page may do: load the viewer, and speak to this server, by the address it came from or the one that clients use. */
export const viewerPolicy = (publicUrl: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${publicUrl === null ? "" : ` ${new URL(publicUrl).origin}`}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
