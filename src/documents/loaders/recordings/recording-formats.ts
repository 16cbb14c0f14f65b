/** The types of recordings, by their containers, and whether a file is to be heard or to be seen. */
import { type Container, containerOf } from "../../audio/containers.ts";
import { openRecording } from "../../audio/recording.ts";
import type { Content } from "../../content.ts";
import type { Format, Recognition } from "../loader.ts";

export type RecordingKind = "audio" | "video";

const wav = { mimeType: "audio/wav", extensions: ["wav", "wave"] };
const flac = { mimeType: "audio/flac", extensions: ["flac"] };
const ogg = { mimeType: "audio/ogg", extensions: ["ogg", "oga", "opus", "spx"] };
const mp3 = { mimeType: "audio/mpeg", extensions: ["mp3", "mpga"] };
const aac = { mimeType: "audio/aac", extensions: ["aac"] };
const m4a = { mimeType: "audio/mp4", extensions: ["m4a", "m4b"] };
const mka = { mimeType: "audio/x-matroska", extensions: ["mka"] };
const weba = { mimeType: "audio/webm", extensions: ["weba", "webm"] };
const mp4 = { mimeType: "video/mp4", extensions: ["mp4", "m4v"] };
const mov = { mimeType: "video/quicktime", extensions: ["mov", "qt"] };
const mkv = { mimeType: "video/x-matroska", extensions: ["mkv"] };
const webm = { mimeType: "video/webm", extensions: ["webm"] };

export const audioFormats = [mp3, wav, flac, ogg, m4a, aac, mka, weba] as const satisfies Format[];
export const videoFormats = [mp4, mov, mkv, webm] as const satisfies Format[];

const BY_CONTAINER: Readonly<Record<Exclude<Container, "mp4" | "matroska">, Format>> = { wav, flac, ogg, mp3, aac };
/** Where Matroska says that it is WebM. */
const FIRST_ELEMENT_BYTES = 64;

/** Null for what is no recording, or is one of the other kind. */
export function recogniseRecording(content: Content, kind: RecordingKind): Recognition | null {
  const container = containerOf(content.source);
  if (container === null) return null;
  if (container !== "mp4" && container !== "matroska") {
    return kind === "audio" ? { certainty: "certain", format: BY_CONTAINER[container] } : null;
  }
  if (kindOf(content, container) !== kind) return null;
  return {
    certainty: "certain",
    format: container === "mp4" ? mp4Format(content, kind) : matroskaFormat(content, kind),
  };
}

/** A damaged file is what its name says. */
function kindOf(content: Content, container: Container): RecordingKind {
  try {
    return openRecording(content.source, container, null).hasPictures ? "video" : "audio";
  } catch {
    const isNamedAudio = audioFormats.some(({ extensions }) => (extensions as string[]).includes(content.extension));
    return isNamedAudio && content.extension !== "webm" ? "audio" : "video";
  }
}

function mp4Format({ source }: Content, kind: RecordingKind): Format {
  if (kind === "audio") return m4a;
  return String.fromCharCode(...source.read(8, 4)) === "qt  " ? mov : mp4;
}

function matroskaFormat({ source }: Content, kind: RecordingKind): Format {
  const isWebm = String.fromCharCode(...source.read(0, FIRST_ELEMENT_BYTES)).includes("webm");
  if (kind === "audio") return isWebm ? weba : mka;
  return isWebm ? webm : mkv;
}
