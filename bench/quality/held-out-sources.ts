/**
 * Public pages in many languages that no training text of the built-in model comes from (models/train/sources.py lists
 * those that it does): the help of GNOME and MATE programs, and translated manual pages, both as Debian packages them.
 * Each package's licences lie in its /usr/share/doc/PACKAGE/copyright; they are GFDL, CC-BY-SA, GPL and the licences of the
 * programs that manual pages describe. Nothing of them is part of this project.
 */

/** Their help lies in /usr/share/help/LANGUAGE/PROGRAM, as Mallard pages or DocBook. */
export const HELP_PACKAGES = [
  "accerciser", "aisleriot", "atril-common", "baobab", "brasero-common", "caja-common", "cheese-common", "devhelp-common", "engrampa-common", "eog", "eom-common",
  "evince-common", "file-roller", "five-or-more", "four-in-a-row", "gedit-common", "ghex", "gitg", "gnome-boxes", "gnome-calculator", "gnome-chess", "gnome-clocks",
  "gnome-contacts", "gnome-dictionary", "gnome-disk-utility", "gnome-font-viewer", "gnome-klotski", "gnome-logs", "gnome-mahjongg", "gnome-mines", "gnome-music",
  "gnome-nibbles", "gnome-photos", "gnome-robots", "gnome-screenshot", "gnome-sudoku", "gnome-system-monitor", "gnome-taquin", "gnome-terminal-data", "gnome-tetravex",
  "gnote", "gthumb-data", "gucharmap", "hitori", "iagno", "lightsoff", "marco-common", "mate-applets-common", "mate-calc-common", "mate-control-center-common",
  "mate-media-common", "mate-panel-common", "mate-power-manager-common", "mate-system-monitor-common", "mate-terminal-common", "mate-user-guide", "mate-utils-common",
  "orca", "pluma-doc", "polari", "quadrapassel", "rhythmbox-doc", "seahorse", "simple-scan", "sound-juicer", "swell-foop", "tali", "totem-common", "vinagre", "yelp", "zenity-common",
] as const;

/** Manual pages in /usr/share/man/LANGUAGE/manN; the first package's are English. */
export const MANUAL_PACKAGES = [
  "manpages", "manpages-cs", "manpages-da", "manpages-de", "manpages-el", "manpages-es", "manpages-fi", "manpages-fr", "manpages-hu", "manpages-id", "manpages-it",
  "manpages-ja", "manpages-mk", "manpages-nb", "manpages-nl", "manpages-pl", "manpages-pt", "manpages-pt-br", "manpages-ro", "manpages-ru", "manpages-sr",
  "manpages-sv", "manpages-tr", "manpages-uk", "manpages-vi", "manpages-zh",
] as const;
