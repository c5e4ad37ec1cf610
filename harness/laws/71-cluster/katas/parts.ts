import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { ClusterHistory } from '../history.ts';

/** The history of one part of a cluster, such as an informer of a process. */
export interface Part<H> {
  /** The name of the part in messages: `pods in kubelet-node-1`. */
  readonly name: string;
  readonly history: H;
  /** Returns the name of an object in the timeline of the cluster. @defaultValue its name in the kata */
  objectOf?(object: string): string;
}

/** Applies a law of a kata to each part of a cluster. */
export function ofEach<H>(
  partsOf: (history: ClusterHistory) => readonly Part<H>[],
): (law: Law<H>) => Law<ClusterHistory> {
  return (law) => {
    const all: Law<ClusterHistory> = (cluster) =>
      partsOf(cluster).flatMap(({ name, history, objectOf = (object) => object }) =>
        law(history).map(({ message, object, ...violation }) => ({
          ...violation,
          message: `${name}: ${message}`,
          ...(object !== undefined && { object: objectOf(object) }),
        })),
      );
    const { situation } = law;
    if (!situation) return all;
    const isMet = (cluster: ClusterHistory): boolean =>
      partsOf(cluster).some(({ history }) => situation.isMet(history));
    return lawAbout({ name: situation.name, isMet }, all);
  };
}

/** Returns a law without its situation, for a cluster in which only the rest of the law can be violated. */
export function withoutSituation<H>(law: Law<H>): Law<H> {
  return (history) => law(history);
}
