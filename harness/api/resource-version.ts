/**
 * Compares two resourceVersions of one resource. Below zero: `a` is older. Zero: they are equal. Above zero: `a` is
 * newer. Versions of different resources cannot be compared. `99` is older than `100`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/resourceversion/resourceversion.go CompareResourceVersion
 *
 * @throws InvalidResourceVersion for an invalid version: an empty text, `0`, a character that is not a decimal digit, a
 * leading zero
 */
export function compareResourceVersion(a: string, b: string): -1 | 0 | 1 {
  for (const version of [a, b]) if (!/^[1-9]\d*$/.test(version)) throw new InvalidResourceVersion(version);
  if (a === b) return 0;
  // Compares as texts, because the length is unlimited. Without leading zeros the longer version is larger.
  const older = a.length === b.length ? a < b : a.length < b.length;
  return older ? -1 : 1;
}

/**
 * An invalid resourceVersion.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/resourceversion/resourceversion.go InvalidResourceVersion
 */
export class InvalidResourceVersion extends Error {
  override readonly name = 'InvalidResourceVersion';

  constructor(version: string) {
    super(`resource version is not well formed: ${version}`);
  }
}
