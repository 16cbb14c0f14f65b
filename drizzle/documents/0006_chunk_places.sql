CREATE TABLE `chunkAttributes` (
	`chunkId` integer NOT NULL,
	`attribute` integer NOT NULL,
	PRIMARY KEY(`chunkId`, `attribute`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `chunkAttributes_attribute` ON `chunkAttributes` (`attribute`,`chunkId`);--> statement-breakpoint
ALTER TABLE `chunks` ADD `contextLength` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chunks` ADD `place` text;--> statement-breakpoint
ALTER TABLE `files` ADD `properties` text;