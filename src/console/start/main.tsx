/** Starts the console in the page. */
import { render } from "preact";
import { Console } from "../console.tsx";
import { locale } from "../words/index.ts";

document.documentElement.lang = locale;
render(<Console />, document.getElementById("console")!);
