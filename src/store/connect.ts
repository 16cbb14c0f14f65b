/**
 * Connects to a database by a connection that ends when it is closed. SQLite keeps a closed one half alive, with its files open and
 * mapped, until the last of its statements is collected, whenever that is; whoever puts other files in their place meanwhile is in its
 * way, and it in theirs.
 */
import { Database, type Statement } from "bun:sqlite";

/** So often statements that were collected are left out of the notes. */
const TIDY_AT = 512;

/** Opens an existing database. */
export function connect(path: string): Database {
  const database = new Database(path, { readwrite: true, create: false, strict: true });
  let statements: WeakRef<Statement>[] = [];
  const prepare = database.prepare.bind(database);
  const close = database.close.bind(database);
  database.prepare = ((...given: Parameters<typeof prepare>) => {
    const statement = prepare(...given);
    if (statements.length % TIDY_AT === TIDY_AT - 1) statements = statements.filter((noted) => noted.deref());
    statements.push(new WeakRef(statement));
    return statement;
  }) as Database["prepare"];
  database.close = () => {
    for (const noted of statements.splice(0)) noted.deref()?.finalize();
    close();
  };
  return database;
}
