/** Lets a zip file be imported as the path under which it can be read, also from inside the executable. */
declare module "*.zip" {
  const path: string;
  export default path;
}
