ALTER TABLE `files` ADD `sha256` text;--> statement-breakpoint
CREATE INDEX `files_without_hash` ON `files` (`id`) WHERE "sha256" IS NULL;