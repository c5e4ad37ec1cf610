import type { Session } from './session.ts';

/** A property of a cluster without which a behaviour cannot show. A cluster that lacks it skips the behaviour. */
export type Need =
  /** A schedulable node whose kubelet runs pods. */
  | 'a node'
  /** A name server behind the Service `kube-system/kube-dns`. */
  | 'names'
  /** Requests that become streams: exec. */
  | 'streams';

/** A behaviour of a cluster that a client can observe: a few requests and their expected results. */
export interface Behaviour {
  /** The part of the cluster that behaves so: `Deployments`. */
  readonly area: string;
  /** A statement about the subject, unique in the suite: `Deployment rolls back to the revision before`. */
  readonly name: string;
  /** The source of the expected values: `kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go scale`. */
  readonly source: string;
  readonly needs: readonly Need[];
  /**
   * Sends the requests, in a new namespace, and compares their results.
   *
   * @throws Difference when a result differs, and Undecided when an awaited result has not come in time
   */
  check(session: Session): Promise<void>;
}

/** A behaviour without its area. */
type Row = Omit<Behaviour, 'area'>;

/** Returns the behaviours of an area. */
export function area(name: string, ...rows: readonly (Row | readonly Row[])[]): readonly Behaviour[] {
  return rows.flat().map((row) => ({ ...row, area: name }));
}

/** Returns a function that declares behaviours with this source and these needs. */
export function from(
  source: string,
  ...needs: readonly Need[]
): (name: string, check: Behaviour['check']) => Row {
  return (name, check) => ({ name, source, needs, check });
}
