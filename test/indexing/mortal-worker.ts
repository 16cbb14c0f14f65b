/** A Worker that answers, is silent, or dies, as it is asked. */
import { answerRequests } from "../../src/indexing/requests.ts";

export interface MortalRequest {
  readonly type: "answer" | "refuse" | "wait" | "exit" | "throw";
}

answerRequests(({ type }: MortalRequest) => {
  if (type === "answer") return "answered";
  if (type === "refuse") throw new Error("refused");
  if (type === "exit") process.exit(1);
  if (type === "throw")
    setTimeout(() => {
      throw new Error("thrown outside any request");
    });
  return new Promise(() => {});
});
