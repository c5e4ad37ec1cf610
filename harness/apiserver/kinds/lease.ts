import type { Lease } from '../../api/objects.ts';
import { leases } from '../../api/resource.ts';
import { withChanged, without } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, nonnegative } from '../declare/rules.ts';
import { invalid } from '../validation/field-error.ts';

/**
 * The kind Lease. It records its holder and its last renewal, for the heartbeat of a node or the leadership of a
 * controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/coordination/lease/strategy.go,
 * pkg/apis/coordination/validation/validation.go ValidateLease
 */
export const lease = declareKind<Lease>({
  resource: leases,
  allowCreateOnUpdate: true,
  // A client that renews must have read the current holder; otherwise two clients could both believe that they hold
  // the lease.
  allowUnconditionalUpdate: false,
  prepareForCreate: withoutCoordination,
  prepareForUpdate: withoutCoordination,
  rules: [
    fields<Lease>({
      spec: fields<Lease['spec']>({
        leaseDurationSeconds: (seconds = 1, path) =>
          seconds > 0 ? [] : [invalid(path, seconds, 'must be greater than 0')],
        leaseTransitions: nonnegative,
      }),
    }),
  ],
});

/** Drops the strategy and the preferred holder: the feature gate CoordinatedLeaderElection is off. */
function withoutCoordination(object: Lease): Lease {
  return withChanged(object, 'spec', (spec) => without(spec, 'strategy', 'preferredHolder'));
}
