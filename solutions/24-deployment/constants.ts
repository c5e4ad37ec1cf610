/** The labels and annotations by which Deployments and ReplicaSets are matched, and the number that stands for "no limit". */

/** The label that tells the pods of one template from those of another. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Which roll-out this is: 1, 2, 3. On ReplicaSets, and copied to the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** The revisions that a ReplicaSet had before, when it was rolled back to. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** What the Deployment's `replicas` was when this ReplicaSet was sized last. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** What `replicas` + surge was then. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** In `progressDeadlineSeconds` and `revisionHistoryLimit` this stands for: none. */
export const MAX_INT32 = 2 ** 31 - 1;
