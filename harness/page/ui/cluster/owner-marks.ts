import type { ClusterView, DeploymentView, PodView, WorkloadView } from '../../protocol/view.ts';

/** The number of owner colours in the style sheet, `--owner-0` and so on. */
export const OWNER_COLOURS = 6;

/** How a pod shows its owner. */
export interface OwnerMark {
  /** The number of the colour; undefined for a pod without an owner, and for the pods of the cluster itself. */
  readonly colour: number | undefined;
  /** Whether its ReplicaSet is not the newest: it is drawn hollow. */
  readonly isOld: boolean;
}

/** The colours of Deployments and other owners. A value. */
export interface OwnerMarks {
  readonly ofPod: (pod: PodView) => OwnerMark;
  readonly ofDeployment: (deployment: Pick<DeploymentView, 'namespace' | 'name'>) => OwnerMark;
  /** The mark of the pods that a workload controls itself. */
  readonly ofWorkload: (workload: Pick<WorkloadView, 'kind' | 'namespace' | 'name'>) => OwnerMark;
  readonly colours: ReadonlyMap<string, number>;
}

export const noMarks: OwnerMarks = ownerMarks({ deployments: [], workloads: [] }, undefined);

/**
 * Gives each Deployment and each other owner of pods another colour, while enough colours are left. An owner keeps its
 * colour until it is deleted, whatever others come and go.
 *
 * @param before the colours up to now
 */
export function ownerMarks(
  { deployments, workloads }: Pick<ClusterView, 'deployments' | 'workloads'>,
  before: OwnerMarks | undefined,
): OwnerMarks {
  const newest = new Map(deployments.map((one) => [keyOf(one), one.replicaSets[0]?.name]));
  const owners = workloads.filter(ownsPods).map(workloadKey);
  const colours = assign([...newest.keys(), ...owners], before?.colours ?? new Map());
  const colourOf = (namespace: string, key: string): number | undefined =>
    namespace === SYSTEM ? undefined : (colours.get(key) ?? hash(key) % OWNER_COLOURS);
  return {
    colours,
    ofPod: ({ namespace, owner, deployment }) => {
      const name = deployment ?? owner;
      if (name === undefined) return { colour: undefined, isOld: false };
      const latest = deployment === undefined ? undefined : newest.get(`${namespace}/${deployment}`);
      return {
        colour: colourOf(namespace, `${namespace}/${name}`),
        isOld: latest !== undefined && owner !== `ReplicaSet ${latest}`,
      };
    },
    ofDeployment: (one) => ({ colour: colourOf(one.namespace, keyOf(one)), isOld: false }),
    ofWorkload: (one) => ({
      colour: ownsPods(one) ? colourOf(one.namespace, workloadKey(one)) : undefined,
      isOld: false,
    }),
  };
}

/** Returns whether a workload controls pods. A CronJob controls Jobs. */
function ownsPods({ kind }: Pick<WorkloadView, 'kind'>): boolean {
  return kind !== 'CronJob' && kind !== 'PersistentVolumeClaim';
}

/** `default/StatefulSet db`: with the owner as its pods name it. */
function workloadKey({ kind, namespace, name }: Pick<WorkloadView, 'kind' | 'namespace' | 'name'>): string {
  return `${namespace}/${kind} ${name}`;
}

/** The namespace of the cluster's own pods: colours are for the reader's. */
const SYSTEM = 'kube-system';

/** Keeps the colours of known keys. A new key gets the colour of its name, or the next that fewest others have. */
function assign(keys: readonly string[], before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const own = keys.filter((key) => !key.startsWith(`${SYSTEM}/`));
  const colours = new Map<string, number>();
  for (const key of own) {
    const kept = before.get(key);
    if (kept !== undefined) colours.set(key, kept);
  }
  for (const key of own) {
    if (colours.has(key)) continue;
    const used = Array.from({ length: OWNER_COLOURS }, () => 0);
    for (const colour of colours.values()) used[colour] = (used[colour] ?? 0) + 1;
    const least = Math.min(...used);
    let colour = hash(key) % OWNER_COLOURS;
    while (used[colour] !== least) colour = (colour + 1) % OWNER_COLOURS;
    colours.set(key, colour);
  }
  return colours;
}

const keyOf = ({ namespace, name }: Pick<DeploymentView, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

function hash(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + char.charCodeAt(0)) % 9973;
  return sum;
}
