import type { ConfigMap } from '../api/objects.ts';
import { configMaps } from '../api/resource.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { Process } from './process.ts';

/** A cluster for tests that record events. */
interface RecordedEvents {
  readonly cluster: Cluster;
  readonly process: Process;
  /** The recorder of the process. */
  readonly recorder: EventRecorder;
  /** The object to record events about. */
  readonly about: ConfigMap;
}

/** Creates a cluster with an idle process of this name. A test can record events in its name. */
export async function recordingAs(name: string): Promise<RecordedEvents> {
  const cluster = await createCluster({ seed: 5 });
  const about = await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'web' } });
  let recorder: EventRecorder | undefined;
  const process = cluster.run(name, async ({ recorder: own, clock, signal }) => {
    recorder = own;
    await clock.sleep(1e12, signal).catch(() => {});
  });
  await cluster.runFor(1);
  if (!recorder) throw new Error(`Failed to record as ${name}: it did not start.`);
  return { cluster, process, recorder, about };
}

/** Returns the writes that the process sent, with their outcomes: `create ok`. */
export function writesOf({ trace }: Cluster, name: string): string[] {
  return trace.entries.flatMap(({ actor, verb, outcome }) =>
    actor === name && ['create', 'patch'].includes(verb) ? [`${verb} ${outcome}`] : [],
  );
}
