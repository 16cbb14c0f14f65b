/** What the server answers, as far as the pages show it. Times are ISO 8601. */
import type { Highlight } from "../text/marked-parts.ts";
import type { UsageEntry } from "../text/usage-series.ts";

export interface Session {
  readonly role: "operator" | "customer";
  /** Whose it is; null for the operator. */
  readonly customerId: string | null;
  readonly mayChange: boolean;
  readonly csrf: string;
  readonly expires: string;
}

export interface SessionState {
  readonly session: Session | null;
  readonly operatorPassword: "set" | "unset";
  readonly version?: string;
}

export type Credits = number | "unlimited";

/** Requests by the minute; null: what holds for everybody. */
export interface Rates<Value> {
  readonly upload: Value;
  readonly retrieval: Value;
  readonly token: Value;
  readonly free: Value;
}

export interface Account {
  readonly customerId: string;
  readonly created: string;
  readonly credits: Credits;
  readonly rates: Rates<number | null>;
  readonly effectiveRates: Rates<number>;
  readonly prices: { readonly upload: number; readonly search: number; readonly query: number };
  readonly datasets: number;
  readonly files: number;
}

export interface Customer {
  readonly customerId: string;
  readonly created: string;
  readonly credits: Credits;
  readonly rates: Rates<number | null>;
  readonly datasets: number;
  readonly files: number;
  readonly keys: number;
}

export type Scope = "all" | "read" | "write";

export interface Key {
  readonly keyId: string;
  readonly customerId: string;
  readonly name: string | null;
  readonly scope: Scope;
  readonly created: string;
  readonly expires: string | null;
  readonly lastUsed: string | null;
  /** When, or whether, it was revoked. */
  readonly revoked: string | boolean | null;
}

export interface NewKey extends Key {
  /** Told this once. */
  readonly apiKey: string;
}

export interface Usage {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageEntry[];
}

export interface Dataset {
  readonly datasetId: string;
  readonly files: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly created: string;
  readonly updated: string;
}

export interface DatasetPage {
  readonly data: readonly Dataset[];
  readonly nextCursor: string | null;
}

export interface StoredFile {
  readonly fileId: string;
  readonly originalName: string;
  readonly datasetId: string;
  readonly mimeType: string | null;
  readonly size: number | null;
  readonly created: string;
  readonly externalId?: string;
  readonly path?: string;
  readonly language?: string;
  readonly status: "processing" | "ready" | "failed";
  /** 0-1, while it is processing. */
  readonly progress?: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly unchanged?: true;
  readonly extraMeta: Readonly<Record<string, unknown>> | null;
  readonly permanentUrl?: string;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  readonly nextCursor?: string | null;
}

/** Why a passage was found: what each kind of evidence gave, 0-1; null where results were not read. */
export interface Explanation {
  readonly meaning: number | null;
  readonly words: number | null;
  /** The question's words as they stand in it. */
  readonly matched: readonly string[];
  readonly reading: number | null;
  readonly pairs: number | null;
}

export interface SearchResult {
  readonly score: number;
  readonly pageContent: string;
  readonly highlights?: readonly Highlight[];
  readonly alsoIn?: readonly { readonly fileId: string; readonly originalName: string; readonly chunkIndex: number }[];
  readonly explanation?: Explanation;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly fileId: string;
    readonly originalName: string;
    readonly chunkIndex: number;
  };
}

export interface Overview {
  readonly version: string;
  /** That clients are told; null: whichever they used. */
  readonly url: string | null;
  readonly started: string;
  readonly readiness: { readonly status: string; readonly message?: string };
  readonly machine: {
    readonly processorCount: number;
    readonly residentBytes: number | null;
    readonly diskFreeBytes: number | null;
    readonly diskReserveMissing: boolean;
    readonly eventLoopDelaySeconds: number;
    readonly requestsRunning: number;
    readonly uploadsRunning: number;
  };
  readonly stored: {
    readonly customers: number;
    readonly datasets: number;
    readonly files: number;
    readonly chunks: number;
  };
  readonly indexes: {
    readonly vectors: number;
    readonly bytes: number;
    readonly lexicalBytes: number;
    readonly openDatasets: number;
  };
  readonly routes: readonly {
    readonly route: string;
    readonly count: number;
    readonly errors: number;
    readonly p50Seconds: number | null;
    readonly p99Seconds: number | null;
  }[];
  readonly queue: { readonly waiting: number; readonly running: number; readonly failed: number };
  readonly answers: {
    readonly running: number;
    readonly waiting: number;
    readonly sequences: number;
    readonly processBytes: number;
  };
  readonly reembedding: Reembedding;
}

export interface Reembedding {
  readonly datasets: number;
  readonly chunks: number;
  readonly done: number;
}

export interface Job {
  readonly fileId: string;
  readonly customerId: string;
  readonly datasetId: string;
  readonly name: string;
  readonly status: "waiting" | "processing" | "running" | "failed";
  readonly progress: number | null;
  readonly error: { readonly code: string; readonly message: string } | string | null;
  readonly created: string;
}

export interface Model {
  readonly name: string;
  readonly kind: string;
  readonly chosen: boolean;
  readonly builtIn: boolean;
  readonly bytes: number;
  readonly describe: string;
}

export interface ModelList {
  readonly models: readonly Model[];
  readonly reembedding: Reembedding | null;
}

export interface BackupList {
  readonly directory: string | null;
  readonly backups: readonly {
    readonly name: string;
    readonly created: string;
    readonly bytes: number;
    readonly kind: string;
  }[];
  readonly running: { readonly name: string; readonly share: number | null } | null;
  /** Of the last one that could not be made. */
  readonly failure: { readonly name: string; readonly message: string } | null;
}
