/** Runs before the page is painted, so that it never flashes in the theme that was not chosen. */
import { applyTheme, chosenTheme } from "../service/theme.ts";

applyTheme(chosenTheme());
