import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Lease } from '../../api/objects.ts';
import { leases } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withDefaults, without } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { invalid } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { withField } from './with-field.ts';

/**
 * The kind Lease: who holds something (a node its life, a controller its leadership), and when it was last renewed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/coordination/lease/strategy.go,
 * pkg/apis/coordination/validation/validation.go ValidateLease
 */
export const lease: Kind<Lease> = {
  resource: leases,
  validateName: isDNS1123Subdomain,
  selectableFields: () => ({}),
  selectableFieldNames: [],
  allowCreateOnUpdate: true,
  // A client that renews must have seen the holder, or two could believe that they hold it.
  allowUnconditionalUpdate: false,

  setDefaults: (object) => withDefaults(object, { spec: {} }),
  prepareForCreate: (object) => withField(object, 'spec', withoutCoordination(object.spec)),
  prepareForUpdate: (object) => withField(object, 'spec', withoutCoordination(object.spec)),

  validate(object) {
    return [
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
      ...validateSpec(object.spec),
    ];
  },

  validateUpdate(object, old) {
    return [...validateObjectMetaUpdate(object.metadata, old.metadata), ...validateSpec(object.spec)];
  },
};

/** By which strategy a leader is chosen, and which is preferred: dropped while CoordinatedLeaderElection is off. */
function withoutCoordination(spec: Lease['spec']): Lease['spec'] {
  return without(spec, 'strategy', 'preferredHolder');
}

function validateSpec({ leaseDurationSeconds = 1, leaseTransitions = 0 }: Lease['spec']): Cause[] {
  const causes: Cause[] = [];
  if (leaseDurationSeconds <= 0) {
    causes.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions < 0) {
    causes.push(invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  }
  return causes;
}
