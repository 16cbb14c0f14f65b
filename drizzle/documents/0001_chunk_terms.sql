CREATE TABLE `chunkTerms` (
	`chunkId` integer PRIMARY KEY NOT NULL,
	`terms` blob NOT NULL
);
