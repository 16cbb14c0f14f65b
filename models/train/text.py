"""Language codes and the cleaning of strings that were written for programs: markup, placeholders and accelerator keys go."""

import html
import re

# Codes of three letters and old ones → the code that all sources share. Simplified and traditional Chinese share "zh".
SHORT_CODE = dict(
    pair.split("=")
    for pair in (
        "afr=af als=sq amh=am ara=ar arb=ar asm=as aym=ay aze=az bak=ba bel=be ben=bn bod=bo bos=bs bre=br bul=bg cat=ca "
        "ces=cs cmn=zh cos=co cym=cy dan=da deu=de div=dv dzo=dz ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa "
        "fil=tl fin=fi fra=fr fry=fy gla=gd gle=ga glg=gl grn=gn gug=gn guj=gu hat=ht hau=ha heb=he hin=hi hrv=hr hun=hu "
        "hye=hy ibo=ig ido=io ile=ie in=id ina=ia ind=id isl=is ita=it iw=he jav=jv jpn=ja kan=kn kat=ka kaz=kk khk=mn "
        "khm=km kin=rw kir=ky kmr=ku kor=ko kur=ku lao=lo lat=la lav=lv lit=lt ltz=lb mal=ml mar=mr mkd=mk mlg=mg mlt=mt "
        "mo=ro mon=mn mri=mi msa=ms mya=my nde=nd nep=ne nld=nl nno=nn no=nb nob=nb nor=nb npi=ne nya=ny oci=oc ori=or "
        "ory=or pan=pa pbt=ps pes=fa pol=pl por=pt pus=ps que=qu ron=ro rus=ru san=sa sin=si slk=sk slv=sl sme=se smo=sm "
        "sna=sn snd=sd som=so sot=st spa=es sqi=sq srp=sr ssw=ss sun=su swa=sw swe=sv swh=sw tah=ty tam=ta tat=tt tel=te "
        "tgk=tg tgl=tl tha=th tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr uig=ug ukr=uk urd=ur uzb=uz uzn=uz ven=ve vie=vi "
        "vol=vo wol=wo xho=xh ydd=yi yid=yi yor=yo zho=zh zsm=ms zul=zu"
    ).split()
)

_TAG = re.compile(r"<[^>]{1,400}>")
_TEMPLATE_CHOICE = re.compile(r"\{\{[A-Za-z#]+:[^{}|]*\|([^{}|]*)[^{}]*\}\}")
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_WIKI_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_ESCAPES = re.compile(r"'''?|\\n|\\t")
_PLACEHOLDER = re.compile(
    r"%(?:\d+\$)?[-+#0 ]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|j|t|L)?[sdiufgxXcp@]|%\d+|\$\d+|\$\{?\w+\}?|\{\s*\$?[-\w.]*\s*\}"
    r"|%\(\w+\)[sd]|#\w+#|%[A-Z_]+%"
)
_ACCELERATOR = re.compile(r"(?<!\w)[_&~](?=\w)|(?<=\w)[&~](?=\w)|\(_?&?[A-Z]\)$|\(&\w\)|\(~\w\)|\(_\w\)")
_ADDRESS = re.compile(r"https?://\S+")
_BLANKS = re.compile(r"\s+")


def language(code: str) -> str:
    """The shared code of a language, its region and script left out."""
    base = code.replace("_", "-").split("@")[0].lower().split("-")[0]
    return SHORT_CODE.get(base, base)


def clean(text: str) -> str:
    """One line of plain text, as a reader would see it."""
    text = html.unescape(text)
    text = _TEMPLATE_CHOICE.sub(r"\1", text)
    text = _TEMPLATE.sub(" ", text)
    text = _WIKI_LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    text = _ESCAPES.sub(" ", text)
    text = _PLACEHOLDER.sub(" ", text)
    text = _ACCELERATOR.sub("", text)
    text = _ADDRESS.sub(" ", text)
    return _BLANKS.sub(" ", text).strip(" .…:;-–|")
