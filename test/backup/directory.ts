/** Data directories to back up, and what is compared of them. */
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { lectern, serve, type Server } from "../cli/lectern.ts";
import { uploadForm } from "../harness.ts";

export const FLAGS = ["--rate-upload", "1000000", "--rate-free", "1000000", "--reserve-file-bytes", "0"];

/** Sends files to a running server; their ids, or null where the server did not answer 200. */
export async function upload(
  server: Pick<Server, "url">,
  key: string,
  files: Record<string, string>,
  fields: Record<string, string> = {},
): Promise<string[] | null> {
  try {
    const response = await fetch(`${server.url}/v1/files/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: uploadForm({ datasetId: "d", ...fields }, files),
    });
    if (response.status !== 200) return null;
    const { files: stored } = (await response.json()) as { files: { fileId: string }[] };
    return stored.map(({ fileId }) => fileId);
  } catch {
    return null;
  }
}

export async function remove(server: Pick<Server, "url">, key: string, fileId: string): Promise<boolean> {
  const init = { method: "DELETE", headers: { authorization: `Bearer ${key}` } };
  return fetch(`${server.url}/v1/files/${fileId}`, init).then(
    (response) => response.status === 200,
    () => false,
  );
}

export async function listed(server: Pick<Server, "url">, key: string): Promise<string[]> {
  const init = { headers: { authorization: `Bearer ${key}` } };
  const response = await fetch(`${server.url}/v1/files?datasetId=d`, init);
  return ((await response.json()) as { files: { fileId: string }[] }).files.map(({ fileId }) => fileId);
}

/** Makes a data directory with two customers and a few documents; resolves once its server has stopped. */
export async function fillDirectory(dataDirectory: string): Promise<{ key: string; other: string }> {
  const server = await serve(dataDirectory, FLAGS);
  const key = server.apiKey!;
  for (let number = 0; number < 12; number++)
    await upload(server, key, {
      [`bee-${number}.txt`]: `Bee ${number} sits on the ${number}th flower. ${"Honey. ".repeat(400)}`,
    });
  const data = ["--data-dir", dataDirectory];
  await lectern(["customer", "create", "acme", "--credits", "500", ...data]);
  const other = (await lectern(["key", "create", "--customer", "acme", "--json", ...data])).json().apiKey as string;
  await upload(server, other, { "wasp.txt": "Wasps build of paper." });
  await server.stop();
  return { key, other };
}

/** SHA-256 and mode of each file below a folder, by its path; folders by their modes. */
export function treeOf(folder: string, leftOut: readonly string[] = []): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (leftOut.some((left) => name === left || name.startsWith(`${left}/`))) continue;
    const mode = (lstatSync(path).mode & 0o777).toString(8);
    if (entry.isFile()) tree[name] = `${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    else if (!entry.isDirectory()) tree[name] = "neither file nor folder";
    else if (readdirSync(path).length > 0) tree[name] = mode;
  }
  return tree;
}

/** Of the running process, or made again. */
export const TRANSIENT = [
  "lectern.lock",
  "server.json",
  "boot",
  "staging",
  "reserve",
  "indexes",
  "cache",
  "lectern.db-wal",
  "lectern.db-shm",
  "access.db-wal",
  "access.db-shm",
];

/** Every row of every table of a database that nobody has open. */
export function rowsOf(path: string): string {
  using database = new Database(path);
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const hash = createHash("sha256");
  for (const { name } of tables)
    for (const row of database.query(`SELECT * FROM "${name}"`).values())
      hash.update(`${name} ${JSON.stringify(row)}\n`);
  return hash.digest("hex");
}
