/** The viewer of the interface, Swagger UI: its files as the build packed them, read when somebody first asks for them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isCompiled, projectRoot, readAsset } from "../../../native/assets.ts";
import { tagOf, type PackedFile } from "../../packed-file.ts";

/** Where the build keeps packed files of the viewer, by the project's root. */
export const PACKED_VIEWER = "build/viewer";

/** Files of the package swagger-ui-dist, and what starts them, by their names in addresses. */
export const viewerFiles = {
  "swagger-ui.js": { source: "node_modules/swagger-ui-dist/swagger-ui-bundle.js", type: "text/javascript" },
  "swagger-ui.css": { source: "node_modules/swagger-ui-dist/swagger-ui.css", type: "text/css" },
  "start.js": { source: "src/http/openapi/viewer/start.js", type: "text/javascript" },
} as const;

export type ViewerFile = keyof typeof viewerFiles;

const read = new Map<ViewerFile, PackedFile>();

export function viewerFile(name: ViewerFile): PackedFile {
  const known = read.get(name) ?? readViewerFile(name);
  read.set(name, known);
  return known;
}

function readViewerFile(name: ViewerFile): PackedFile {
  const { source, type } = viewerFiles[name];
  const bytes = new Uint8Array(
    isCompiled ? readAsset(`${PACKED_VIEWER}/${name}.br`) : readFileSync(join(projectRoot, source)),
  );
  return {
    type: `${type}; charset=utf-8`,
    tag: tagOf(bytes),
    content: new Map([[isCompiled ? "br" : "identity", bytes]]),
  };
}
