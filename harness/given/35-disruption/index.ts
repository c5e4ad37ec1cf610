/** `#given/35-disruption`: the parts of the harness that only this solution uses. */
export type { PodDisruptionBudget, ReplicationController } from '../../api/objects.ts';
export { replicationControllers } from '../../api/plain-resources.ts';
export { podDisruptionBudgets } from '../../api/resource.ts';
export { withCondition } from '../../apiserver/kinds/with-condition.ts';
