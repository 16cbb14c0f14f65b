ALTER TABLE `files` ADD `externalId` text;--> statement-breakpoint
ALTER TABLE `files` ADD `relativePath` text;--> statement-breakpoint
ALTER TABLE `files` ADD `isPending` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `files_externalId` ON `files` (`datasetId`,`externalId`) WHERE "externalId" IS NOT NULL AND "isPending" = 0;--> statement-breakpoint
CREATE INDEX `files_pending` ON `files` (`id`) WHERE "isPending" = 1;