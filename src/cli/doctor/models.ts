/** Whether the models in use are whole, and whether the one that embeds made the vectors that are stored. */
import { answerModelPlaceOf, modelDirectoryOf, type Config } from "../../options/config.ts";
import { modelIdentity } from "../../embedding/index.ts";
import { verifyAnswerModel } from "../models/answers.ts";
import { datasetsByModel } from "../models/census.ts";
import { checkModel } from "../models/embedding.ts";
import { allModels } from "../models/kinds.ts";
import { ocr } from "../models/ocr.ts";
import { speech } from "../models/speech.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "model";

export async function checkModels(config: Config): Promise<Finding[]> {
  return [
    ...(await checkEmbeddingModel(config)),
    ...(await checkAnswerModel(config)),
    ...(await checkRecognitionModels(config)),
  ];
}

/** Those that were added for speech and scans, which are used wherever they are found. */
async function checkRecognitionModels(config: Config): Promise<Finding[]> {
  const models = (await allModels(config)).filter(({ kind }) => kind === speech || kind === ocr);
  const findings: Finding[] = [];
  for (const model of models.filter(({ directory }) => directory !== null)) {
    const { name, kind } = model;
    const works = kind === speech ? "listens" : "reads scans";
    findings.push(
      await kind.verify(config, model).then(
        () => good(SUBJECT, `${name} is whole and ${works}.`),
        (error: Error) =>
          bad(SUBJECT, `${name}: ${error.message}`, `Go on without it, or add it again: lectern model remove ${name}`),
      ),
    );
  }
  const { speechModel } = config;
  if (speechModel !== null && !models.some(({ kind, name }) => kind === speech && name === speechModel))
    findings.push(
      warning(
        SUBJECT,
        `The speech model "${speechModel}" was chosen and is not there: another listens where it understands the language.`,
        "Add it again, or choose one that `lectern model list` shows: lectern model use NAME",
      ),
    );
  return findings;
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
