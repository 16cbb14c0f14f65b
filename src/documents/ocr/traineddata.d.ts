/** Lets packed language data be imported as the path under which it can be read, also from inside the executable. */
declare module "*.traineddata.gz" {
  const path: string;
  export default path;
}
