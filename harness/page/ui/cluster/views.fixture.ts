import type { DeploymentView, PodView } from '../../protocol/view.ts';

/** A field may be set to undefined, which removes it. */
type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A pod of a Deployment that runs and is ready. */
export function pod(name: string, more: Some<PodView> = {}): PodView {
  const all: Some<PodView> = {
    namespace: 'default',
    name,
    uid: `uid-${name}`,
    status: 'Running',
    phase: 'Running',
    isReady: true,
    isTerminating: false,
    restarts: 0,
    ip: '10.244.1.5',
    node: 'node-1',
    owner: 'ReplicaSet web-7d4b9c',
    deployment: 'web',
    containers: [],
    ...more,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as PodView;
}

/** A Deployment with these ReplicaSets, newest first. */
export function deployment(name: string, replicaSets: readonly string[]): DeploymentView {
  return {
    namespace: 'default',
    name,
    desired: 3,
    updated: 3,
    ready: 3,
    available: 3,
    isPaused: false,
    isComplete: true,
    replicaSets: replicaSets.map((one, index) => ({
      name: one,
      revision: String(replicaSets.length - index),
      desired: index === 0 ? 3 : 0,
      current: index === 0 ? 3 : 0,
      ready: index === 0 ? 3 : 0,
    })),
  };
}
