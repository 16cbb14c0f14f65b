/** Lets whatever else waits for this thread go first: requests, messages, timers, and what is to be sent. */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
