CREATE TABLE `chunks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`fileRow` integer NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `datasets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customerId` text NOT NULL,
	`name` text NOT NULL,
	`modelId` text NOT NULL,
	`created` integer NOT NULL,
	`fileCount` integer DEFAULT 0 NOT NULL,
	`chunkCount` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `datasets_customer_name` ON `datasets` (`customerId`,`name`);--> statement-breakpoint
CREATE TABLE `fileAttributes` (
	`datasetId` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`fileRow` integer NOT NULL,
	`firstChunkId` integer NOT NULL,
	`lastChunkId` integer NOT NULL,
	PRIMARY KEY(`datasetId`, `key`, `value`, `fileRow`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`fileId` text NOT NULL,
	`datasetId` integer NOT NULL,
	`customerId` text NOT NULL,
	`firstChunkId` integer NOT NULL,
	`chunkCount` integer NOT NULL,
	`originalName` text NOT NULL,
	`storagePath` text NOT NULL,
	`mimeType` text,
	`size` integer,
	`loaderId` text NOT NULL,
	`created` integer NOT NULL,
	`extension` text NOT NULL,
	`chunkSize` integer NOT NULL,
	`chunkOverlap` integer NOT NULL,
	`chargeId` text,
	`extraMeta` text,
	`transcriptionText` text,
	`transcriptionSrt` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_fileId` ON `files` (`fileId`);--> statement-breakpoint
CREATE INDEX `files_dataset` ON `files` (`datasetId`,`id`,`firstChunkId`,`chunkCount`);--> statement-breakpoint
CREATE INDEX `files_dataset_name` ON `files` (`datasetId`,`originalName`);--> statement-breakpoint
CREATE INDEX `files_customer` ON `files` (`customerId`,`id`);--> statement-breakpoint
CREATE INDEX `files_charge` ON `files` (`chargeId`) WHERE "chargeId" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `vectors` (
	`chunkId` integer PRIMARY KEY NOT NULL,
	`vector` blob NOT NULL
);
