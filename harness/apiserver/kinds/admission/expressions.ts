import type { MatchCondition } from '#api/admissionregistration/v1';
import { isQualifiedName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { fields, named, type Rule, required } from '../../declare/rules.ts';
import { duplicate, required as missing, tooMany } from '../../validation/field-error.ts';

/** An expression in CEL. Differs: it is not compiled. */
export const expression =
  (detail = ''): Rule<string> =>
  (text, path) =>
    text?.trim() ? [] : [missing(path, detail)];

const condition = fields<MatchCondition>({
  expression: expression(),
  name: required(named(isQualifiedName)),
});

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/validation.go
 * validateMatchConditions
 */
export const matchConditions: Rule<readonly MatchCondition[]> = (conditions = [], path) => {
  const causes: Cause[] = conditions.length > 64 ? [tooMany(path, conditions.length, 64)] : [];
  const names = new Set<string>();
  conditions.forEach((one, i) => {
    causes.push(...condition(one, `${path}[${i}]`));
    if (names.has(one.name)) causes.push(duplicate(`${path}[${i}].name`, one.name));
    if (one.name) names.add(one.name);
  });
  return causes;
};

/**
 * Returns the warning about a name that is reserved for objects from files.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/static_suffix.go
 * WarningsForStaticSuffix
 */
export function reservedNameWarnings({
  metadata: { name },
}: {
  readonly metadata: { readonly name: string };
}): readonly string[] {
  return name.endsWith('.static.k8s.io')
    ? [
        'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
      ]
    : [];
}
