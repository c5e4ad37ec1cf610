/**
 * Which of two resourceVersions of one resource is newer. Below zero: `a` is older. Zero: they are the same. Above zero: `a`
 * is newer. Versions of different resources cannot be compared.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/resourceversion/resourceversion.go CompareResourceVersion
 *
 * @throws InvalidResourceVersion for what no object has: an empty text, `0`, anything but decimal digits, a leading zero
 */
export function compareResourceVersion(a: string, b: string): -1 | 0 | 1 {
  for (const version of [a, b]) if (!/^[1-9]\d*$/.test(version)) throw new InvalidResourceVersion(version);
  if (a === b) return 0;
  // Texts, because there is no limit to their length. Without leading zeros the longer one is the larger.
  const older = a.length === b.length ? a < b : a.length < b.length;
  return older ? -1 : 1;
}

/**
 * A text that cannot be the resourceVersion of an object.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/resourceversion/resourceversion.go InvalidResourceVersion
 */
export class InvalidResourceVersion extends Error {
  override readonly name = 'InvalidResourceVersion';

  constructor(version: string) {
    super(`resource version is not well formed: ${version}`);
  }
}
