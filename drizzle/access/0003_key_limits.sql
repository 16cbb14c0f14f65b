ALTER TABLE `apiKeys` ADD `scope` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `apiKeys` ADD `expires` integer;--> statement-breakpoint
ALTER TABLE `apiKeys` ADD `lastUsed` integer;