CREATE TABLE `uploadJobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`fileId` text NOT NULL,
	`customerId` text NOT NULL,
	`datasetName` text NOT NULL,
	`originalName` text NOT NULL,
	`storagePath` text NOT NULL,
	`mimeType` text,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created` integer NOT NULL,
	`externalId` text,
	`relativePath` text,
	`chunkSize` integer NOT NULL,
	`chunkOverlap` integer NOT NULL,
	`chargeId` text NOT NULL,
	`language` text,
	`ocrLanguages` text,
	`extraMeta` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`errorCode` text,
	`errorMessage` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploadJobs_fileId` ON `uploadJobs` (`fileId`);--> statement-breakpoint
CREATE INDEX `uploadJobs_dataset` ON `uploadJobs` (`customerId`,`datasetName`,`id`);--> statement-breakpoint
ALTER TABLE `files` ADD `language` text;--> statement-breakpoint
ALTER TABLE `files` ADD `ocrLanguages` text;