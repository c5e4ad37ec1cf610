import type * as rbac from '#api/rbac/v1';
import { isDNS1123Subdomain, isValidPathSegmentName } from '../../api/names.ts';
import type { ClusterRoleBinding, RoleBinding } from '../../api/objects.ts';
import { clusterRoleBindings, roleBindings } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged } from '../copy-on-write.ts';
import { declareKind, type KindDeclaration } from '../declare/declare-kind.ts';
import { each, fields, named, type Rule, required } from '../declare/rules.ts';
import { invalid, required as missing, notSupported } from '../validation/field-error.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { withField } from './with-field.ts';

const GROUP = 'rbac.authorization.k8s.io';

type Binding = RoleBinding | ClusterRoleBinding;

/** Requires one of a few values. */
const alwaysOneOf =
  (...supported: readonly string[]): Rule<string> =>
  (value = '', path) =>
    supported.includes(value) ? [] : [notSupported(path, value, supported)];

/** Upstream: ValidateRoleBindingSubject */
const subjectRule =
  (isNamespaced: boolean): Rule<rbac.Subject> =>
  (subject, path) => {
    const { kind = '', name = '', namespace = '', apiGroup = '' } = subject ?? {};
    const causes = name ? [] : [missing(`${path}.name`)];
    switch (kind) {
      case 'ServiceAccount':
        causes.push(...named(isDNS1123Subdomain)(name, `${path}.name`));
        if (apiGroup) causes.push(notSupported(`${path}.apiGroup`, apiGroup, ['']));
        if (!isNamespaced && !namespace) causes.push(missing(`${path}.namespace`));
        return causes;
      case 'User':
      case 'Group':
        return [...causes, ...alwaysOneOf(GROUP)(apiGroup, `${path}.apiGroup`)];
      default:
        return [...causes, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
    }
  };

/**
 * The kind RoleBinding. Its role never changes, so that an approved binding stays what it was.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/rolebinding/strategy.go, pkg/apis/rbac/v1/defaults.go,
 * pkg/apis/rbac/validation/validation.go ValidateRoleBinding
 */
export const roleBinding = declareKind<RoleBinding>({
  resource: roleBindings,
  ...bindingOf(['Role', 'ClusterRole'], true),
});

/**
 * The kind ClusterRoleBinding. See {@link roleBinding}.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/clusterrolebinding/strategy.go,
 * pkg/apis/rbac/validation/validation.go ValidateClusterRoleBinding
 */
export const clusterRoleBinding = declareKind<ClusterRoleBinding>({
  resource: clusterRoleBindings,
  ...bindingOf(['ClusterRole'], false),
});

function bindingOf<T extends Binding>(
  roles: readonly string[],
  isNamespaced: boolean,
): Omit<KindDeclaration<T>, 'resource'> {
  const rules = fields<Binding>({
    roleRef: fields<rbac.RoleRef>({
      apiGroup: alwaysOneOf(GROUP),
      kind: alwaysOneOf(...roles),
      name: required(named(isValidPathSegmentName)),
    }),
    subjects: each(subjectRule(isNamespaced)),
  });
  return {
    validateName: isValidPathSegmentName,
    allowCreateOnUpdate: true,
    setDefaults: (object) => {
      const referred = withChanged(object, 'roleRef', (ref) =>
        ref.apiGroup ? ref : { ...ref, apiGroup: GROUP },
      );
      return withChanged(referred, 'subjects', (subjects) => mapItems(subjects, withGroup));
    },
    rules: [rules],
    updateRules: validateRoleRef,
  };
}

/** Users and groups have this API group, service accounts the core group. Upstream: SetDefaults_Subject */
function withGroup(subject: rbac.Subject): rbac.Subject {
  const isOurs = subject.kind === 'User' || subject.kind === 'Group';
  return isOurs && !subject.apiGroup ? withField(subject, 'apiGroup', GROUP) : subject;
}

const ROLE_REF: GoStruct = { APIGroup: ['apiGroup', ''], Kind: ['kind', ''], Name: ['name', ''] };

function validateRoleRef({ roleRef }: Binding, old: Binding): Cause[] {
  if (semanticEqual(roleRef, old.roleRef)) return [];
  return [invalid('roleRef', inGoNames(roleRef, ROLE_REF), 'cannot change roleRef')];
}
