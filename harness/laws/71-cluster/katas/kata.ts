import type { Cluster } from '../../../cluster/cluster.ts';
import type { Components } from '../../../contracts/component.ts';
import type { Law } from '../../../testing/holds.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { ClusterHistory } from '../history.ts';

/** The laws of one kata, for the life of a whole cluster. */
export interface KataInCluster {
  /** `24-deployment`. */
  readonly kata: string;
  /** The laws that a whole cluster shows, by their names in the kata. */
  readonly laws: Readonly<Record<string, Law<ClusterHistory>>>;
  /** The other laws of the kata, by their names, and the reason why a whole cluster cannot show each. */
  readonly leftOut: Readonly<Record<string, string>>;
  /**
   * Creates an observer for one run. The laws read its records in {@link ClusterHistory.observed}.
   *
   * @param recorders the recorder of each process, by its name, once the process runs
   * @defaultValue journal, trace, requests and machines suffice
   */
  readonly observer?: (recorders: ReadonlyMap<string, RequestRecorder>) => Observer;
  /**
   * Looks at the cluster when the run has ended. The laws read the result in {@link ClusterHistory.inspected}.
   *
   * @defaultValue the laws read only the history
   */
  readonly inspect?: (cluster: Cluster) => unknown;
}

/** Records the calls between components that no trace shows, such as those of an informer's handlers. */
export interface Observer {
  /** Returns the components with a recorder around the ports that it observes. */
  wrap(components: Partial<Components>): Partial<Components>;
  /** The records, which grow while the cluster runs. */
  readonly observed: unknown;
}
