import type * as networking from '#api/networking/v1';
import { isDNS1123Label, isDNS1123Subdomain, isValidPathSegmentName } from '../../api/names.ts';
import type { IngressClass } from '../../api/objects.ts';
import { ingressClasses } from '../../api/plain-resources.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { all, fields, named, oneOf, optional, type Rule, required } from '../declare/rules.ts';
import { domainPrefixedPath } from '../validation/domain-prefixed-path.ts';
import { forbidden, invalidEach, required as missing, tooLong } from '../validation/field-error.ts';

/** Parameters have a namespace exactly if their scope is Namespace. */
const namespace: Rule<networking.IngressClassParametersReference> = (parameters, path) => {
  const { scope, namespace } = parameters ?? {};
  const at = `${path}.namespace`;
  if (scope === 'Cluster' && namespace !== undefined) {
    return [forbidden(at, "`parameters.scope` is set to 'Cluster'")];
  }
  if (scope !== 'Namespace') return [];
  if (namespace === undefined) return [missing(at, "`parameters.scope` is set to 'Namespace'")];
  return invalidEach(at, namespace, isDNS1123Label(namespace));
};

/**
 * The kind IngressClass. Its controller never changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/networking/ingressclass/strategy.go,
 * pkg/apis/networking/v1/defaults.go SetDefaults_IngressClass, pkg/apis/networking/validation/validation.go
 * ValidateIngressClass
 */
export const ingressClass = declareKind<IngressClass>({
  resource: ingressClasses,
  generationOf: ({ spec }) => spec,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withChanged(spec, 'parameters', (parameters) => withDefaults(parameters, { scope: 'Cluster' })),
    ),
  rules: [
    fields<IngressClass>({
      spec: fields<networking.IngressClassSpec>({
        controller: all(
          (value = '', path) => (Buffer.byteLength(value) > 250 ? [tooLong(path, 250)] : []),
          domainPrefixedPath,
        ),
        parameters: optional(
          all(
            fields<networking.IngressClassParametersReference>({
              apiGroup: named(isDNS1123Subdomain),
              kind: required(named(isValidPathSegmentName)),
              name: required(named(isValidPathSegmentName)),
              scope: oneOf('Cluster', 'Namespace'),
            }),
            namespace,
          ),
        ),
      }),
    }),
  ],
  immutable: ['spec.controller'],
});
