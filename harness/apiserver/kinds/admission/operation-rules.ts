import type { NamedRuleWithOperations, RuleWithOperations } from '#api/admissionregistration/v1';
import { isValidPathSegmentName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems, withDefaults } from '../../copy-on-write.ts';
import { all, each, fields, oneOf, type Rule } from '../../declare/rules.ts';
import { duplicate, invalid, invalidEach, required } from '../../validation/field-error.ts';

/** A list that is either `*` alone, or names. `thing` is the name of its items in messages. */
const namesOrAll =
  (thing: string): Rule<readonly string[]> =>
  (names = [], path) => {
    if (names.length === 0) return [required(path)];
    const why = `if '*' is present, must not specify other ${thing}`;
    return names.length > 1 && names.includes('*') ? [invalid(path, names, why)] : [];
  };

const filled: Rule<string> = (text, path) => (text ? [] : [required(path)]);

/**
 * Resources and subresources, such as `pods`, `pods/*` and `*`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/validation.go validateResources
 */
const resources: Rule<readonly string[]> = (names = [], path) => {
  const causes: Cause[] = names.length === 0 ? [required(path)] : [];
  const wholes = new Set<string>();
  const everywhere = new Set<string>();
  let hasPlain = false;
  names.forEach((name, i) => {
    const slash = name.indexOf('/');
    if (name === '') causes.push(required(`${path}[${i}]`));
    // Upstream forgets earlier names.
    else if (slash < 0) hasPlain = name !== '*';
    if (slash < 0) return;
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)];
    const refuse = (known: string) =>
      causes.push(invalid(`${path}[${i}]`, name, `if '${known}' is present, must not specify ${name}`));
    if (wholes.has(resource)) refuse(`${resource}/*`);
    if (everywhere.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === '*') wholes.add(resource);
    if (resource === '*') everywhere.add(subresource);
  });
  if (names.length > 1 && names.includes('*/*')) {
    causes.push(invalid(path, names, "if '*/*' is present, must not specify other resources"));
  }
  if (names.includes('*') && hasPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    causes.push(invalid(path, names, why));
  }
  return causes;
};

/**
 * The requests that a webhook or a policy applies to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/validation.go
 * validateRuleWithOperations
 */
export const operationRule: Rule<RuleWithOperations> = fields<RuleWithOperations>({
  operations: all(namesOrAll('operations'), each(oneOf('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'))),
  apiGroups: namesOrAll('API groups'),
  apiVersions: all(namesOrAll('API versions'), each(filled)),
  resources,
  scope: oneOf('*', 'Cluster', 'Namespaced'),
});

/** Upstream: validateNamedRuleWithOperations */
export const namedOperationRule: Rule<NamedRuleWithOperations> = all(
  fields<NamedRuleWithOperations>({
    resourceNames: (names = [], path) =>
      names.flatMap((name, i) => [
        ...invalidEach(`${path}[${i}]`, name, isValidPathSegmentName(name)),
        ...(names.indexOf(name) < i ? [duplicate(`${path}[${i}]`, name)] : []),
      ]),
  }),
  operationRule,
);

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/v1/defaults.go SetDefaults_Rule */
export function withScopes<R extends { scope?: string }>(rules: readonly R[]): R[] {
  return mapItems(rules, (rule) => withDefaults<{ scope?: string }>(rule, { scope: '*' }) as R);
}
