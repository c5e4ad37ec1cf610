import { nodes, persistentVolumeClaims, persistentVolumes, pods } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import { LATE_MS, type VolumesHistory } from './history.ts';
import { BINDER, type Operation, type VolumesScenario } from './operations.ts';
import { obligations } from './oracle.ts';

/** Less than the time after which the scheduler tries every pod again: a missed event must not be hidden. */
const SETTLE_WITHIN_MS = 200_000;
/** How long nothing must happen then. The binder resyncs in each half of it. */
const REST_MS = 40_000;

/** More writes than these, mostly of events, show enough: at rest, and in a whole run. */
const WRITES_MAX = 100;
const RUN_WRITES_MAX = 3_000;

/** The components under test. */
export type VolumeComponents = Pick<
  Components,
  | 'persistentVolumeBinder'
  | 'localPathProvisioner'
  | 'persistentVolumeClaimProtectionController'
  | 'persistentVolumeProtectionController'
  | 'volumeBinding'
>;

/**
 * Runs the controllers and a scheduler in a hostile cluster: users create and delete claims, volumes and pods, and the
 * nemesis injects faults. Then all of that stops, and the controllers have time to converge. At the end the binder
 * restarts once.
 *
 * @throws the rejection of the binder
 */
export async function runVolumes(
  subject: VolumeComponents,
  components: Partial<Components>,
  scenario: VolumesScenario,
): Promise<VolumesHistory> {
  const { seed, schedule, replicas, latencyMs, steps } = scenario;
  await using cluster = await createCluster({
    ...{ seed, schedule, replicas, latencyMs: { min: 1, max: latencyMs } },
    components: { ...components, ...subject },
  });
  const { journal, nemesis, sim, trace } = cluster;
  const environment = new Environment(cluster);
  const { stage } = environment;
  await environment.prepare();
  const pending = perRevision(cluster, () =>
    obligations({
      volumes: stage.list(persistentVolumes),
      claims: stage.list(persistentVolumeClaims),
      pods: stage.list(pods),
      nodes: stage.list(nodes),
    }),
  );
  const { restedMs, healedMs } = await play<Operation>({
    cluster,
    start: () => {
      cluster.runComponents(
        'localPathProvisioner',
        'persistentVolumeClaimProtectionController',
        'persistentVolumeProtectionController',
        'scheduler',
      );
      const [binder] = cluster.runComponents('persistentVolumeBinder');
      if (!binder) throw new Error('Failed to start the binder.');
      return binder;
    },
    steps,
    act: (operation) => environment.act(operation),
    settle: async () => {
      const isDone = (): boolean => pending().length === 0 || journal.entries.length > RUN_WRITES_MAX;
      await cluster.runUntil(isDone, SETTLE_WITHIN_MS);
      return pending().length === 0 ? sim.elapsedMs : undefined;
    },
  });
  const end = { pending: pending(), endMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await cluster.runFor(LATE_MS);
    const most = journal.entries.length + WRITES_MAX;
    const rest = () => cluster.runUntil(() => journal.entries.length > most, REST_MS / 2);
    await rest();
    nemesis.strike({ fault: 'crash', process: BINDER, skip: 0, performed: true, restartAfterMs: 50 });
    // It crashes at its next request: a closed watch makes it send one.
    nemesis.strike({ fault: 'cut-watches', process: BINDER });
    await rest();
  }
  const resources = ['persistentvolumes', 'persistentvolumeclaims'] as const;
  const observed = new Observations({ process: BINDER, resources, latencyMs }).read(trace.entries);
  return {
    ...recordOf(cluster),
    volumes: journal.of(persistentVolumes),
    claims: journal.of(persistentVolumeClaims),
    pods: journal.of(pods),
    observedOf: (atMs) => observed.atThought(atMs).persistentvolumes,
    restedMs,
    healedMs,
    ...end,
  };
}
