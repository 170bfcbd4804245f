// Tokens that a fixed beginning gives away (D-065). The list follows the rules of gitleaks and secretlint, and adds services
// of home labs.

/** Regular expressions. `starts`: where a part of `begins` that is not fixed could be cut, how the first piece ends. */
type TokenShapes = { readonly rest: string; readonly begins: string; readonly starts?: string };

const SHAPES: readonly TokenShapes[] = [
  {
    rest: String.raw`[\w-]{20,}`,
    begins: String.raw`gh[pousr]_ github_pat_ gl(?:pat|dt|ft|ffct|imt|agent|oas|ptt|rt|cbt|soat)- GR1348941 xox[abeoprs]- xoxe\.xox[bp]-
      xapp-\d- AIza ya29\. 1//0 hv[sb]\. api_org_ do[opr]_v1_ dckr_[po]at_ pypi-AgE tskey-[a-z]{2,12}- lin_api_ sk- PMAK- HRKU-AA
      pscale_(?:tkn|oauth|pw)_ sntry[us]_ xkeysib- xsmtpsib- gl(?:sa|c)_ fo1_ fm1[ar]_ fm2_ ops_eyJ dt0[cs]\d\d\. ATATT3 ATCTT3
      (?:[sr]k|whsec)_(?:live|test|prod)_ whsec_ sq0[a-z]{3}- bedrock-api-key- duffel_(?:live|test)_ shippo_(?:live|test)_
      FLWSECK_TEST- FLWSECK- nvapi- figd_ sha256~ tk-us- fio-u- EAAA A3-[A-Z0-9]{6}-`,
  },
  {
    rest: "[A-Za-z0-9]{30,}",
    begins: String.raw`npm_ hf_ r8_ ntn_ rdme_ pnu_ gsk_ pplx- EZ[AT]K AKCp rubygems_ CLOJARS_ ico- p8e- ATBB shp(?:at|ca|pa|ss)_ 4b1d
      AGE-SECRET-KEY-1 cmVmd ABSK dp\.[a-z]{2,6}\. dapi pul- key- EAA[MC]`,
  },
  { rest: "[A-Za-z0-9]{16,}", begins: "LTAI A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9]) sm_[aps]at_" },
  { rest: "[a-f0-9]{32}", begins: "SK" },
  { rest: "[a-z0-9]{29}", begins: "tk_" },
  { rest: "[a-f0-9]{64}", begins: String.raw`pat[A-Za-z0-9]{14}\.`, starts: String.raw`pat[A-Za-z0-9]{4,14}\.?$` },
  { rest: "[a-f0-9]{146}", begins: String.raw`v1\.0-[a-f0-9]{24}-`, starts: String.raw`v1\.0-` },
  { rest: String.raw`[\w-]{130,}`, begins: String.raw`sl\.` },
  { rest: String.raw`[\w-]{16,}\.[\w-]{16,}`, begins: String.raw`SG\.` },
  {
    rest: String.raw`[\w.-]{40,}`,
    begins: String.raw`[ps]at\.[\w-]{22}\.`,
    starts: String.raw`[ps]at\.[\w-]{4,22}\.?$`,
  },
  { rest: String.raw`[\w=-]{60,}`, begins: String.raw`[A-Za-z0-9]{14}\.atlasv1\.` },
  { rest: "[A-Za-z0-9+/]{40,}", begins: "eyJrIjoi" },
  // Telegram and Discord.
  { rest: String.raw`AA[\w-]{32,}`, begins: String.raw`\d{8,10}:`, starts: String.raw`\d{8,10}(?::A?)?$` },
  {
    rest: String.raw`[\w-]{6}\.[\w-]{27,}`,
    begins: String.raw`[MNO][\w-]{23,25}\.`,
    starts: String.raw`[MNO][\w-]{7,25}$`,
  },
  { rest: String.raw`[\w-]{20,}`, begins: String.raw`PVEAPIToken=[^\s=]{1,128}=`, starts: "PVEAPIToken" },
  // Their addresses are their secrets.
  {
    rest: String.raw`[\w@/+-]{30,}`,
    begins: String.raw`hooks\.slack\.com/[a-z]{1,12}/ discord(?:app)?\.com/api/webhooks/ webhook\.office\.com/webhookb2/`,
  },
];

const beginningsOf = ({ begins }: TokenShapes): string => `(?:${begins.split(/\s+/).join("|")})`;

/** A letter before it is part of another word, unless it is that of an escaped end of a line. */
export const TOKEN = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=\\[nrt]))(?:${SHAPES.map((shape) => `${beginningsOf(shape)}${shape.rest}`).join("|")})(?:\.?[\w~+/=-])*`,
  "dg",
);

/** Whether more on the same line may make a token of a part of it. */
export const BEGINS_A_TOKEN = new RegExp(
  SHAPES.flatMap((shape) => [
    beginningsOf(shape),
    ...(shape.starts === undefined ? [] : [`(?<![\\w-])(?:${shape.starts})`]),
  ]).join("|"),
);
