/** What an operation costs, in thousandths of a credit. What is not listed is free. */
export const PRICE_OF_FILE = 1000;
export const PRICE_OF_SEARCH = 100;
export const PRICE_OF_QUERY = 100;
/** Of the embeddings of so many texts, each such number of them that is begun. */
export const PRICE_OF_EMBEDDINGS = 100;
export const TEXTS_PER_PRICE = 16;
