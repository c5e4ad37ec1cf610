import type { DeploymentView, PodView } from '../../protocol/view.ts';

/** The number of owner colours in the style sheet, `--owner-0` and so on. */
export const OWNER_COLOURS = 6;

/** How a pod shows its owner. */
export interface OwnerMark {
  /** The number of the colour; undefined for a pod of its own. */
  readonly colour: number | undefined;
  /** Whether its ReplicaSet is not the newest: it is drawn hollow. */
  readonly isOld: boolean;
}

/** Gives each Deployment, and each other owner, a colour. */
export interface OwnerMarks {
  readonly ofPod: (pod: PodView) => OwnerMark;
  readonly ofDeployment: (namespace: string, name: string) => OwnerMark;
}

/**
 * Assigns colours by name, not by position: a Deployment that is deleted changes no other's colour.
 *
 * @param deployments of the present view
 */
export function ownerMarks(deployments: readonly DeploymentView[]): OwnerMarks {
  const newest = new Map(
    deployments.map(({ namespace, name, replicaSets }) => [`${namespace}/${name}`, replicaSets[0]?.name]),
  );
  return {
    ofPod: ({ namespace, owner, deployment }) => {
      const name = deployment ?? owner;
      if (name === undefined) return { colour: undefined, isOld: false };
      const latest = deployment === undefined ? undefined : newest.get(`${namespace}/${deployment}`);
      return {
        colour: colourOf(`${namespace}/${name}`),
        isOld: latest !== undefined && owner !== `ReplicaSet ${latest}`,
      };
    },
    ofDeployment: (namespace, name) => ({ colour: colourOf(`${namespace}/${name}`), isOld: false }),
  };
}

function colourOf(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + char.charCodeAt(0)) % 9973;
  return sum % OWNER_COLOURS;
}
