/** Parts of tags that name a variant of an image, not a version. */
const VARIANT =
  /^(latest|stable|mainline|slim|perl|otel|glibc|musl|uclibc|debian|bookworm|bullseye|trixie|alpine)[\d.]*$/;

/** How far the minor version of a real tag may be ahead of this catalogue. */
const NEWER_MINORS_MAX = 10;

interface Tag {
  /** Major, minor and patch, as far as they are given; empty for `latest`. */
  readonly version: readonly number[];
  readonly isAlpine: boolean;
}

/**
 * Returns the tag that comes nearest to a missing one: `8.2` for `redis:7.2-alpine`. A digest means the newest image.
 *
 * @param tags the existing tags, without tags for signatures and the like
 * @returns undefined for a tag that does not look like one of a real image, such as `typo` or version `1.161` of an image
 * whose newest version is 1.29
 */
export function nearestTag(tags: readonly string[], missing: string): string | undefined {
  const wanted = missing.startsWith('sha256:') ? parsed('latest') : parsed(missing);
  const known = tags.flatMap((name) => {
    const tag = parsed(name);
    return tag ? [{ name, ...tag }] : [];
  });
  const [newest] = known.toSorted((a, b) => compare(b.version, a.version));
  if (!wanted || !newest) return undefined;
  const [major = 0, minor = 0] = newest.version;
  const [wantedMajor = 0, wantedMinor = 0] = wanted.version;
  if (wantedMajor > major) return undefined;
  if (wantedMajor === major && wantedMinor > minor + NEWER_MINORS_MAX) return undefined;
  const target = wanted.version.length === 0 ? newest.version : wanted.version;
  const distance = ({ version, isAlpine }: Tag): readonly number[] => [
    Number(isAlpine !== wanted.isAlpine),
    ...[0, 1, 2].map((part) => Math.abs((version[part] ?? 0) - (target[part] ?? 0))),
  ];
  return known.toSorted((a, b) => compare(distance(a), distance(b)))[0]?.name;
}

/** Returns undefined for a tag that names neither a version nor a variant. */
function parsed(tag: string): Tag | undefined {
  const [first = '', ...rest] = tag.split('-');
  const version = /^v?\d+(\.\d+){0,2}$/.test(first)
    ? first.replace('v', '').split('.').map(Number)
    : undefined;
  const variants = version ? rest : [first, ...rest];
  if (!variants.every((part) => VARIANT.test(part))) return undefined;
  return { version: version ?? [], isAlpine: variants.some((part) => part.startsWith('alpine')) };
}

/** Compares number by number; a missing number counts as 0. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = [...a, ...b].findIndex((_, i) => (a[i] ?? 0) !== (b[i] ?? 0));
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
