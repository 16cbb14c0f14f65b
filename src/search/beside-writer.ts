/** Looking at saved indexes beside a server that may be writing them. */

/** A server that saves an index removes what the one before named; looked at again so often, it is the newest that is looked at. */
const ATTEMPTS = 3;

/** What `look` returns, at the first of a few times that it does not throw; throws what it threw the last time. */
export async function besideWriter<Result>(look: () => Result | Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await look();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
