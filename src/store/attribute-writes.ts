/** Writes what filters look up of a file and of its chunks. To be called in the transaction that writes those. */
import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { sql } from "drizzle-orm";
import type { PassagePlace } from "../foundation/place.ts";
import { attributesOf, attributeText, placeAttribute, placeAttributes, type FileDescription } from "./attributes.ts";
import { fileAttributes } from "./schema.ts";

/** Of one file. */
export interface AttributeWrites {
  /** Of a chunk: its place, and what its file says under keys of which the place says nothing, though another chunk's does. */
  addOfChunk(chunkId: number, place: PassagePlace): void;
  /** Of the file itself: what is said of all of its chunks. */
  addOfFile(fileRow: number, firstChunkId: number, lastChunkId: number): void;
}

/** Prepares the statements once for a connection. `placeKeys` are all that places of the file's chunks have. */
export function prepareAttributeWrites(database: Database) {
  const { placeholder } = sql;
  const insertOfChunk = database.query("INSERT INTO chunkAttributes (chunkId, attribute) VALUES (?, ?)");
  const insertOfFile = drizzle(database)
    .insert(fileAttributes)
    .values({
      datasetId: placeholder("datasetId"),
      key: placeholder("key"),
      value: placeholder("value"),
      fileRow: placeholder("fileRow"),
      firstChunkId: placeholder("firstChunkId"),
      lastChunkId: placeholder("lastChunkId"),
    })
    .prepare();

  return (file: FileDescription, datasetId: number, placeKeys: readonly string[]): AttributeWrites => {
    const ofFile = attributesOf(file);
    const ofPlaces = ofFile.filter(({ key }) => placeKeys.includes(key));
    return {
      addOfChunk(chunkId, place) {
        const elsewhere = ofPlaces.filter(({ key }) => !Object.hasOwn(place, key));
        for (const attribute of new Set(
          [...placeAttributes(place), ...elsewhere].map((said) => placeAttribute(datasetId, said)),
        ))
          insertOfChunk.run(chunkId, attribute);
      },
      addOfFile(fileRow, firstChunkId, lastChunkId) {
        for (const attribute of ofFile) {
          if (ofPlaces.includes(attribute)) continue;
          const [key, value] = [attributeText(attribute.key), attributeText(attribute.value)];
          insertOfFile.run({ key, value, datasetId, fileRow, firstChunkId, lastChunkId });
        }
      },
    };
  };
}
