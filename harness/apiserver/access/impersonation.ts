import { quote } from '../../api/names.ts';
import type { Impersonation } from '../../contracts/access/index.ts';

/**
 * Returns the message for headers `Impersonate-*` without a user name. It prints the headers as Go prints a struct.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/impersonation/constrained_impersonation.go
 * processImpersonationHeaders
 */
export function withoutUserName({ uid = '', groups, extra }: Impersonation): string {
  const keys = Object.keys(extra).sort();
  const values = keys.map((key) => `${quote(key)}:${list(extra[key] ?? [])}`);
  const shownGroups = groups.length > 0 ? list(groups) : '[]string(nil)';
  const shownExtra =
    keys.length > 0 ? `map[string][]string{${values.join(', ')}}` : 'map[string][]string(nil)';
  const user = `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
  return `requested ${user} without impersonating a user name`;
}

const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`;
