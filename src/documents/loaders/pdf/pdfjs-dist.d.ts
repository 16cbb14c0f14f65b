/** These builds of pdf.js have no types of their own. */
declare module "pdfjs-dist/build/pdf.worker.mjs";
declare module "pdfjs-dist/build/pdf.min.mjs";
