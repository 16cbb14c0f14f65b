CREATE TABLE `discardedGenerations` (
	`datasetId` integer NOT NULL,
	`generation` integer NOT NULL,
	`throughChunkId` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`datasetId`, `generation`)
);
--> statement-breakpoint
CREATE TABLE `reembeddings` (
	`datasetId` integer PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`modelId` text NOT NULL,
	`throughChunkId` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `datasets` ADD `generation` integer DEFAULT 0 NOT NULL;