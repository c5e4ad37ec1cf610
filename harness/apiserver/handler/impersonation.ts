import type { Impersonation } from '../../contracts/access/index.ts';

const EXTRA = 'impersonate-extra-';

/**
 * Returns the user that the headers `Impersonate-*` name; undefined without such headers.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/impersonation/constrained_impersonation.go
 * processImpersonationHeaders
 *
 * Differs: a value with a comma and a space counts as two values, because Headers joins repeated headers like this.
 */
export function impersonationOf(headers: Headers): Impersonation | undefined {
  const user = textOf(headers.get('impersonate-user'));
  const uid = textOf(headers.get('impersonate-uid'));
  const groups = valuesOf(headers.get('impersonate-group'));
  const extra: Record<string, readonly string[]> = {};
  for (const [name, value] of headers) {
    if (name.startsWith(EXTRA)) extra[unescaped(name.slice(EXTRA.length))] = valuesOf(value);
  }
  if (!user && !uid && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  return { user, ...(uid && { uid }), groups, extra };
}

const valuesOf = (value: string | null): readonly string[] =>
  value === null ? [] : value.split(', ').map(textOf);

/** Headers holds each byte as a character. */
const textOf = (value: string | null): string => Buffer.from(value ?? '', 'latin1').toString('utf8');

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
