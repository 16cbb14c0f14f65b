/** The next token of a decoder. */

/** The most probable one that is not forbidden, and the natural logarithm of its probability. */
export function mostProbable(
  logits: Float32Array,
  isForbidden: (token: number) => boolean = () => false,
): { token: number; logProbability: number } {
  let token = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < logits.length; index += 1) {
    if (logits[index]! > most && !isForbidden(index)) {
      most = logits[index]!;
      token = index;
    }
  }
  let sum = 0;
  for (let index = 0; index < logits.length; index += 1) sum += Math.exp(logits[index]! - most);
  return { token, logProbability: -Math.log(sum) };
}
