/** What is said of a change to a ConfigMap or Secret that is immutable. */
export const IMMUTABLE = 'field is immutable when `immutable` is set';

/** Not `semanticEqual`: a key with an empty text is an empty file in the pod, an absent key is no file. */
export function sameEntries(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
