/** Whether the models are whole, and whether the one in use made the vectors that are stored. */
import { answerModelPlaceOf, modelDirectoryOf, type Config } from "../../options/config.ts";
import { modelIdentity } from "../../embedding/index.ts";
import { verifyAnswerModel } from "../answer-models.ts";
import { datasetsByModel } from "../model-census.ts";
import { checkModel } from "../model.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "model";

export async function checkModels(config: Config): Promise<Finding[]> {
  return [...(await checkEmbeddingModel(config)), ...(await checkAnswerModel(config))];
}

async function checkAnswerModel(config: Config): Promise<Finding[]> {
  const place = answerModelPlaceOf(config);
  if (place === null) return [];
  try {
    await verifyAnswerModel(place);
    return [good(SUBJECT, `${config.answerModel} is whole and can answer.`)];
  } catch (error) {
    return [
      bad(SUBJECT, (error as Error).message, "Add the model again, or go on without one: lectern model use extractive"),
    ];
  }
}

async function checkEmbeddingModel(config: Config): Promise<Finding[]> {
  let modelId: string;
  try {
    modelId = modelIdentity(await checkModel(config, modelDirectoryOf(config)));
  } catch (error) {
    return [
      bad(
        SUBJECT,
        (error as Error).message,
        config.model === null
          ? "The executable is damaged: copy it here again."
          : `Add the model again, or go back: lectern model use default`,
      ),
    ];
  }
  const whole = good(SUBJECT, `${modelId} is whole and embeds.`);
  try {
    const others = datasetsByModel(config.dataDirectory).filter((census) => census.modelId !== modelId);
    return [
      whole,
      ...others.map((census) =>
        warning(
          SUBJECT,
          `${census.datasets} datasets were embedded by ${census.modelId} and are to be embedded anew.`,
          "A running server does so in the background; `lectern model status` shows how far it is.",
        ),
      ),
    ];
  } catch {
    // The databases' own finding has said that they cannot be read.
    return [whole];
  }
}
