import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import { deployments, events, pods, replicaSets } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type ScriptPod, scripts } from '../../cluster/nodes/pod-script.ts';
import { runPuppetNodes } from '../../cluster/nodes/puppet-nodes.ts';
import type { Client } from '../../contracts/client.ts';
import type { Components } from '../../contracts/component.ts';
import type { EventRecorder } from '../../contracts/event-recorder.ts';
import { intercept } from '../../contracts/intercept.ts';
import { targetOf } from '../../contracts/request.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { untilQuiet } from '../../testing/rig/settling.ts';
import { Environment, type Rollback } from './environment/index.ts';
import type { DeploymentHistory } from './history.ts';
import { historyOf } from './history.ts';
import { OTHER_PROCESS, PROCESS, QUIET_MS, type Step, type UserEdit } from './operations.ts';
import type { DeploymentScenario } from './scenario/index.ts';

const LATENCY_MS = { min: 1, max: 3 };

/** No law reads Events of controllers, and each Event costs as much time as a pod. */
const NO_EVENTS: EventRecorder = { event: () => {} };

/** The limit of the wait for order after the last fault and edit: the longest back-offs, and the slowest pods. */
const REST_WITHIN_MS = 8_000_000;

/** A controller that writes this often will never stop: correct ones need 300 writes in the longest runs. */
const WRITES_MAX = 1_000;

/** The parts of a kata in a run besides its controller. */
interface Parts {
  /** The implementation of `kubectl rollout undo`. @defaultValue the harness's own */
  readonly rollback?: Rollback;
}

/**
 * Runs a Deployment in a hostile cluster: users create and edit it, and faults strike; then it is left alone. The ReplicaSet controller
 * is real, and pods behave like real pods, as far as a controller can observe.
 *
 * @throws the error of the controller
 */
export async function runDeployment(
  components: Components,
  scenario: DeploymentScenario,
  { rollback }: Parts = {},
): Promise<DeploymentHistory> {
  const { seed, schedule, replicas, bystanders, steps } = scenario;
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: LATENCY_MS, components });
  const recorder = new RequestRecorder(cluster.sim);
  const user = new Environment(cluster, scenario.deployment, rollback);
  let healed = false;
  /** Pods flap and fail until the faults end. */
  const script = (): ScriptPod => {
    const { failingPercent: _, flappingPercent: __, ...calm } = scenario.pods;
    const [stormy, peaceful] = [scripts(scenario.pods), scripts(calm)];
    return (pod, random) => (healed ? peaceful : stormy)(pod, random);
  };

  for (const bystander of bystanders) await user.add(bystander);
  const nodes = runPuppetNodes(cluster, { script: script() });
  const { healedMs, restedMs } = await play<UserEdit>({
    cluster,
    start: async () => {
      const { deploymentController, replicaSetController } = components;
      cluster.run(OTHER_PROCESS, (context) => replicaSetController({ ...context, recorder: NO_EVENTS }));
      const process = cluster.run(PROCESS, (context) => {
        const client = recorder.client(squatted(context.client, user));
        return deploymentController({ ...context, client, recorder: NO_EVENTS });
      });
      await user.create();
      return process;
    },
    steps,
    writesMax: WRITES_MAX,
    act: async (edit) => {
      if (edit.edit === 'lose-pods') nodes.lose(edit.forMs);
      await user.do(edit);
    },
    calmDown: () => {
      healed = true;
      cluster.trace.record({ actor: 'nemesis', verb: 'is done' });
    },
    settle: () =>
      untilQuiet(cluster, { forMs: QUIET_MS, withinMs: REST_WITHIN_MS, writesMax: WRITES_MAX, isHeard }),
  });
  const { storage, trace } = cluster;
  const run = recordOf(cluster);
  return historyOf(
    { ...run, journal: run.journal.filter(isHeard) },
    {
      trace: trace.entries,
      recorder,
      latencyMs: LATENCY_MS.max,
      healedMs,
      restedMs,
      wasDisturbed: steps.some(disturbs),
      undone: user.undone,
      left: {
        deployment: storage.list(deployments)[0] as Deployment,
        replicaSets: storage.list(replicaSets) as ReplicaSet[],
        pods: storage.list(pods) as Pod[],
      },
    },
  );
}

/** The controller's client: a user may create a ReplicaSet with some name just before it. */
function squatted(client: Client, user: Environment): Client {
  return intercept(client, async (request, send) => {
    const { name } = request.verb === 'create' ? targetOf(request) : {};
    if (name !== undefined && sameResource(request.resource, replicaSets)) await user.squat(name);
    return send(request);
  });
}

function disturbs(step: Step): boolean {
  return 'strike' in step && !('process' in step.strike && step.strike.process === OTHER_PROCESS);
}

function isHeard({ resource }: JournalEntry): boolean {
  return !sameResource(resource, events);
}
